// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The shared oracle, compiled here: a kernel build keeps its objects apart. */
#include "../tests/oracle.c"
