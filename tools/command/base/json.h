/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The output of --json, read again: its lines, and the bytes that text_json() has written.
 * fix --plan and summary use this.
 */
#ifndef UTF8VAL_BASE_JSON_H
#define UTF8VAL_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/output.h"

/**
 * json_lines() - read a file of lines, up to the first one that is wrong
 * @path: the file; "-" for standard input
 * @take: is called for each line that is not blank, and adds what is wrong with the line
 * @data: the first argument of @take
 *
 * An editor may have put a byte order mark in front of the first line, which is skipped.
 *
 * Return: true. False with a message if a line is wrong or the file cannot be read; without
 * one after an interruption.
 */
bool json_lines(const char *path,
		void (*take)(void *data, const char *line, size_t len, struct text *wrong),
		void *data);

/**
 * json_bytes() - the bytes that text_json() has written
 * @value: its object, or a string; NULL is neither
 * @len: set to how many bytes there are
 *
 * Return: the bytes, with a NUL after them, to be freed; NULL if @value holds none.
 */
char *json_bytes(const json_t *value, size_t *len);

#endif /* UTF8VAL_BASE_JSON_H */
