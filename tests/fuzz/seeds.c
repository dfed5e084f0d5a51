// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Write each shared vector to a file: the corpus that fuzzing starts from.
 *
 * Usage: seeds DIRECTORY
 */
#include <stdio.h>

#include "../checks.h"

static int write_seed(const char *directory, size_t number)
{
	/* Parameters for the targets that take parameters off the end. */
	static const uint8_t parameters[4] = { 0x53, 0x21, 0x04, 0x01 };
	const struct utf8val_vector *vector = &utf8val_vectors[number];
	char path[4096];
	FILE *file;
	int status;

	snprintf(path, sizeof(path), "%s/vector-%03zu", directory, number);
	file = fopen(path, "wb");
	if (!file) {
		perror(path);
		return 1;
	}
	fwrite(vector->bytes, 1, vector->len, file);
	fwrite(parameters, 1, sizeof(parameters), file);
	status = ferror(file);
	if (fclose(file) || status) {
		perror(path);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
		return 2;
	}
	for (size_t i = 0; i < utf8val_vector_count; i++)
		if (write_seed(argv[1], i))
			return 1;
	return 0;
}
