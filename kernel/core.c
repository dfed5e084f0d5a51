// SPDX-License-Identifier: GPL-2.0-only
/*
 * The core as an object of its own: one named utf8val.o could not be part of
 * a module of that name.
 */
#include "../utf8val.c"
