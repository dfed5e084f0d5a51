/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The contracts are of the core's functions, whose names the kernel's have. */
#include "../../../utf8val.h"

struct qstr;

int utf8val_check_name(const struct qstr *name);
