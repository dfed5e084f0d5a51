// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Write into a field of fixed size, without cutting a character. The suite examples
 * runs it.
 */
#include <stdio.h>
#include <string.h>

#include "utf8val.h"

/* Copy as many whole characters as fit before the NUL; size is not 0. */
static void copy_bounded(char *field, size_t size, const char *text)
{
	size_t len = utf8val_floor(text, strlen(text), size - 1);

	memcpy(field, text, len);
	field[len] = '\0';
}

int main(void)
{
	char field[8];

	copy_bounded(field, sizeof(field), "Füße");
	printf("%s\n", field);
	copy_bounded(field, sizeof(field), "日本語");
	printf("%s\n", field);
	copy_bounded(field, sizeof(field), "");
	printf("[%s]\n", field);
	return 0;
}

/* Prints:
 * Füße
 * 日本
 * []
 */
