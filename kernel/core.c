// SPDX-License-Identifier: GPL-2.0-only
/*
 * The core as an object of a module. It is not named utf8val.o, since no module
 * can have a part of its own name.
 */
#include "../utf8val.c"
