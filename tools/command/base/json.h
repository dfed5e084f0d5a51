/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bytes of unknown origin as JSON, and back. Every program that prints --json and fix
 * --plan use this.
 */
#ifndef UTF8VAL_BASE_JSON_H
#define UTF8VAL_BASE_JSON_H

#include <jansson.h>

#include "base/text.h"

/**
 * text_json() - add bytes as a JSON object that gives them back exactly
 * @text: where to
 * @key: what stands before the object: {"path":
 * @bytes: anything
 * @len: how many
 *
 * {"text":"..."} for well-formed UTF-8, {"bytes":"..."} in base64 otherwise, as
 * ripgrep does it.
 */
void text_json(struct text *text, const char *key, const void *bytes, size_t len);

/* Add a JSON string in the same way; its bytes are known to be well-formed UTF-8. */
void text_json_string(struct text *text, const char *key, const void *bytes, size_t len);

/**
 * json_bytes() - the bytes that text_json() has written
 * @value: its object, or a string; NULL is neither
 * @len: set to how many bytes there are
 *
 * Return: the bytes, with a NUL after them, to be freed; NULL if @value holds none.
 */
char *json_bytes(const json_t *value, size_t *len);

#endif /* UTF8VAL_BASE_JSON_H */
