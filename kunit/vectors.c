// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The shared vectors, compiled here: a kernel build keeps its objects apart. */
#include "../tests/vectors.c"
