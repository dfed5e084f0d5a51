/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names that Windows accepts, by Microsoft's "Naming Files, Paths, and Namespaces".
 * extra.c calls this for --portable. Names that differ only in case are one name there;
 * that is not checked.
 */
#ifndef UTF8VAL_SCAN_PORTABLE_H
#define UTF8VAL_SCAN_PORTABLE_H

#include <stddef.h>

#include "base/text.h"

/**
 * portable_reason() - add why Windows would refuse a name: "has '?', ends with a dot", ...
 * @name: well-formed
 * @len: its bytes, one at least
 * @to: the reasons are added here; nothing where Windows would take the name as it is
 *
 * DEL and the controls from U+0080 on, which it would take, are refused too.
 */
void portable_reason(const void *name, size_t len, struct text *to);

/**
 * portable_make() - add a name that it would take
 * @name: well-formed
 * @len: its bytes, one at least
 * @to: the result is added here; a name that is portable stays as it is
 *
 * A low line replaces each control and forbidden character, also in its form of the
 * private use area, and each dot and space at the end. One is added after the name of a
 * device: CON_.txt. A name that is too long is cut before the extension.
 */
void portable_make(const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_SCAN_PORTABLE_H */
