/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * So many bad names may return, the last that all processes have removed from a directory.
 */
#ifndef UTF8VAL_REMOVALS_H
#define UTF8VAL_REMOVALS_H

#define UTF8VAL_REMOVALS 16

#endif /* UTF8VAL_REMOVALS_H */
