/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The guard remembers so many of a thread's last removals of bad names. guard_maps.h
 * and the tests include this.
 */
#ifndef UTF8VAL_REMOVALS_H
#define UTF8VAL_REMOVALS_H

#define UTF8VAL_REMOVALS 16

#endif /* UTF8VAL_REMOVALS_H */
