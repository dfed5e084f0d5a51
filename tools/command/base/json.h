/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The bytes that text_json() has written, read again. fix --plan and summary use this.
 */
#ifndef UTF8VAL_BASE_JSON_H
#define UTF8VAL_BASE_JSON_H

#include <jansson.h>

/**
 * json_bytes() - the bytes that text_json() has written
 * @value: its object, or a string; NULL is neither
 * @len: set to how many bytes there are
 *
 * Return: the bytes, with a NUL after them, to be freed; NULL if @value holds none.
 */
char *json_bytes(const json_t *value, size_t *len);

#endif /* UTF8VAL_BASE_JSON_H */
