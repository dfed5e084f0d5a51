/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A subcommand's options are a table: the name of each option, its line in --help, and
 * the variable for its argument. Every subcommand has one.
 */
#ifndef UTF8VAL_BASE_OPTION_H
#define UTF8VAL_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* The output of scan, check and fix: for people, for programs, or for an editor. */
enum output { OUTPUT_TEXT, OUTPUT_NULL, OUTPUT_JSON, OUTPUT_TABS };

struct command_option {
	int letter;		/* 'x' for -x; 0: has none */
	const char *name;	/* "threads" for --threads */
	/*
	 * "N" for --threads=N; NULL: takes none. The completions of shells read it in
	 * --help: choices with | between them, FILE, DIR, CHARSET, ...
	 */
	const char *argument;
	const char *help;	/* NULL: --help is silent about it */
	bool optional;		/* the argument may be missing */
	bool repeats;		/* and more than one be given */
	bool told;		/* usage.told holds it where it is given */

	/* where it goes: one of these is set */
	bool *flag;		/* becomes true */
	const char **string;	/* the argument */
	unsigned int *number;	/* the argument, 1 to .most; or .value */
	unsigned int most, value;
	/* with .data and the argument; returns what is wrong with it, or NULL */
	const char *(*take)(void *data, const char *argument);
	void *data;
	/* long names, each ended by a space, of options it contradicts */
	const char *never_with;
};

/* A row of that table: where enum output goes. */
#define OPTION_JSON(output) \
	{ 0, "json", NULL, "Print one JSON object per line", \
	  .number = (output), .value = OUTPUT_JSON }

struct usage {
	const char *operands;	/* "[FILE...]" */
	const char *or_operands;	/* another way to call it; or NULL */
	const char *does;
	const char *statuses;
	const struct command_option *options;	/* up to one without a name */
	/* where JSON of the options that are .told is added: see options_take() */
	struct text *told;
};

/**
 * options_parse() - do what the options say
 * @argc: of the subcommand
 * @argv: of the subcommand; it is reordered, the operands last
 * @usage: what there is
 *
 * For --help, --usage and --version, and for what @usage does not allow, the program ends
 * here. Options that contradict each other also end with a message: .never_with of one of
 * them names the other. They contradict each other because both set one .number to a
 * .value, or because one option has two arguments.
 *
 * Return: the index of the first operand.
 */
int options_parse(int argc, char **argv, const struct usage *usage);

/**
 * options_take() - do what an option says that usage.told held in another process
 * @options: a table, up to a row without a name
 * @word: the option, with an argument after "="; it must last
 *
 * Return: what is wrong with the option, or NULL.
 */
const char *options_take(const struct command_option *options, const char *word);

/* How many operands there are, up to NULL. */
static inline size_t options_count(char *const *operands)
{
	size_t count = 0;

	while (operands[count])
		count++;
	return count;
}

#endif /* UTF8VAL_BASE_OPTION_H */
