// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The options of all subcommands, parsed by getopt_long(), and their help. argp is not
 * used, because it prints an argument as it is, and a shell may have expanded it to a
 * file name.
 */
#include "base/option.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/commands.h"
#include "base/text.h"
#include "utf8val.h"

#define MAX_OPTIONS 64
/* in --help */
#define LINE_END 79
#define HELP_COLUMN 29

/* long options are told apart by this and their row */
#define FIRST_ROW 256

enum { HELP, USAGE, VERSION };

static const struct command_option common[] = {
	[HELP] = { 'h', "help", .help = "Give this help list" },
	[USAGE] = { .name = "usage", .help = "Give a short usage message" },
	[VERSION] = { 'V', "version", .help = "Print program version" },
	{ 0 },
};

/* Words up to the line's end, the next lines indented. */
static void print_wrapped(const char *words, int column, int indent)
{
	while (*words) {
		int len = (int)strcspn(words, " ");

		if (column > indent && column + 1 + len > LINE_END) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", len, words);
		column += len;
		words += len;
		words += strspn(words, " ");
	}
	putchar('\n');
}

static void print_options(const struct command_option *option)
{
	for (; option->name; option++) {
		int column;

		/* what nobody needs to know */
		if (!option->help)
			continue;
		column = option->letter ? printf("  -%c, ", option->letter) :
					  printf("      ");

		column += printf("--%s", option->name);
		if (option->argument)
			column += printf(option->optional ? "[=%s]" : "=%s",
					 option->argument);
		/* print_wrapped() parts words, as from what is too long */
		column += printf("%*s", column < HELP_COLUMN ?
						HELP_COLUMN - column : 1, "");
		print_wrapped(option->help, column, HELP_COLUMN);
	}
}

static void print_usage(FILE *to, const char *program, const struct usage *usage)
{
	fprintf(to, "Usage: %s [OPTION...] %s\n", program, usage->operands);
	if (usage->or_operands)
		fprintf(to, "  or:  %s [OPTION...] %s\n", program, usage->or_operands);
}

static void print_help(const char *program, const struct usage *usage)
{
	print_usage(stdout, program, usage);
	print_wrapped(usage->does, 0, 0);
	putchar('\n');
	print_options(usage->options);
	print_options(common);
	printf("\nExit status:");
	print_wrapped(usage->statuses, 12, 0);
}

/* Not a number, or too large a one: false. */
static bool parse_number(const char *argument, unsigned int most, unsigned int *number)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(argument, &end, 10);
	if (*argument < '0' || *argument > '9' || *end || errno || !value || value > most)
		return false;
	*number = (unsigned int)value;
	return true;
}

/* The arguments of getopt_long(), and the tables that map its results back. */
struct parser {
	const struct command_option *rows[MAX_OPTIONS + 1];	/* up to NULL */
	struct option longs[MAX_OPTIONS + 1];
	char letters[2 * MAX_OPTIONS + 2];
	bool given[MAX_OPTIONS];
	const char *arguments[MAX_OPTIONS];
	size_t count;
};

static void add_options(struct parser *parser, const struct command_option *option)
{
	char *letter = parser->letters + strlen(parser->letters);

	for (; option->name && parser->count < MAX_OPTIONS; option++) {
		size_t row = parser->count++;

		parser->rows[row] = option;
		parser->longs[row] = (struct option){
			.name = option->name,
			.has_arg = option->optional ? optional_argument :
				   option->argument ? required_argument : no_argument,
			.val = (int)(FIRST_ROW + row),
		};
		if (!option->letter)
			continue;
		*letter++ = (char)option->letter;
		if (option->argument)
			*letter++ = ':';
	}
}

/* The row of what getopt_long has found; where there is none, that of NULL. */
static size_t find_row(const struct parser *parser, int key)
{
	size_t row = 0;

	if (key >= FIRST_ROW)
		return (size_t)(key - FIRST_ROW);
	while (row < parser->count && (!key || parser->rows[row]->letter != key))
		row++;
	return row;
}

static bool contradict(const struct command_option *a, const struct command_option *b)
{
	size_t len = strlen(b->name);

	if (a == b)
		return false;
	if (a->number && a->number == b->number && !a->argument)
		return a->value != b->value;
	for (const char *at = a->never_with; at && *at;
	     at += strcspn(at, " ") + 1) {
		if (!strncmp(at, b->name, len) && at[len] == ' ')
			return true;
	}
	return false;
}

/* The usage of the command line that is parsed, for errors. */
static const struct usage *parsed;

/* The program ends if two options contradict each other. */
static void check_given(const struct parser *parser, const char *program)
{
	for (size_t i = 0; i < parser->count; i++) {
		for (size_t k = 0; k < parser->count; k++) {
			if (!parser->given[i] || !parser->given[k] ||
			    !contradict(parser->rows[i], parser->rows[k]))
				continue;
			complain(NULL, 0, "--%s or --%s, not both. Run: %s --help",
				 parser->rows[i]->name, parser->rows[k]->name, program);
			print_usage(stderr, program, parsed);
			exit(STATUS_TROUBLE);
		}
	}
}

/* Print what is wrong with an argument; the program ends. */
static void __attribute__((noreturn))
refuse(const char *program, const char *argument, const char *why)
{
	complain(argument, strlen(argument), "%s. Run: %s --help", why, program);
	print_usage(stderr, program, parsed);
	exit(STATUS_TROUBLE);
}

static void __attribute__((noreturn))
refuse_use(const char *program, const struct command_option *option, const char *why)
{
	struct text name = { 0 };

	text_printf(&name, "--%s", option->name);
	text_add(&name, "", 1);
	refuse(program, name.bytes, why);
}

/* How many long options begin with an argument, up to its "="? */
static size_t count_matches(const struct parser *parser, const char *argument)
{
	size_t count = 0, len;

	if (strncmp(argument, "--", 2) != 0)
		return 0;
	argument += 2;
	len = strcspn(argument, "=");
	for (size_t i = 0; i < parser->count; i++)
		count += !strncmp(parser->rows[i]->name, argument, len);
	return count;
}

/* Report what getopt_long has refused: optopt is the option, if it is a known one. */
static void __attribute__((noreturn))
refuse_option(const struct parser *parser, char **argv, bool bare)
{
	const struct command_option *option = parser->rows[find_row(parser, optopt)];
	char letter[] = { '-', (char)optopt, '\0' };

	if (option)
		refuse_use(argv[0], option, bare ? "needs an argument" :
						   "takes no argument");
	if (!optopt && count_matches(parser, argv[optind - 1]) > 1)
		refuse(argv[0], argv[optind - 1],
		       "ambiguous option, because several options begin like this");
	refuse(argv[0], optopt ? letter : argv[optind - 1], "unknown option");
}

static const char *take(const struct command_option *option, const char *argument)
{
	if (option->flag)
		*option->flag = true;
	if (option->string && argument)
		*option->string = argument;
	else if (option->take)
		return option->take(option->data, argument);
	else if (option->number && !option->argument)
		*option->number = option->value;
	else if (option->number && !parse_number(argument, option->most, option->number))
		return "not a number in the allowed range";
	return NULL;
}

const char *options_take(const struct command_option *options, const char *word)
{
	for (; options->name; options++) {
		size_t len = strlen(options->name);
		const char *end = word + 2 + len;

		if (!options->told || strncmp(word, "--", 2) != 0 ||
		    strncmp(word + 2, options->name, len) != 0)
			continue;
		if (!*end && (!options->argument || options->optional))
			return take(options, NULL);
		if (*end == '=' && options->argument)
			return take(options, end + 1);
	}
	return "unknown option";
}

/* Add an option that was given as a word that options_take() accepts. */
static void tell(struct text *told, const struct command_option *option)
{
	text_auto word = { 0 };

	text_printf(&word, "--%s", option->name);
	if (optarg)
		text_printf(&word, "=%s", optarg);
	text_json(told, told->len ? "," : "", word.bytes, word.len);
}

/* Note that a row was given; what is wrong when it was before, otherwise. */
static const char *note(struct parser *parser, size_t row)
{
	const char *before = parser->arguments[row];

	parser->given[row] = true;
	parser->arguments[row] = optarg;
	if (before && optarg && !parser->rows[row]->repeats &&
	    strcmp(before, optarg) != 0)
		return "was given before, with another argument";
	return NULL;
}

int options_parse(int argc, char **argv, const struct usage *usage)
{
	/* the colon has a missing argument told from an unknown option */
	struct parser parser = { .letters = ":" };
	int key;

	parsed = usage;
	add_options(&parser, usage->options);
	add_options(&parser, common);
	opterr = 0;
	while ((key = getopt_long(argc, argv, parser.letters, parser.longs,
				  NULL)) != -1) {
		size_t row = find_row(&parser, key);
		const struct command_option *option = parser.rows[row];
		const char *wrong;

		if (!option)
			refuse_option(&parser, argv, key == ':');
		if (option == &common[HELP]) {
			print_help(argv[0], usage);
		} else if (option == &common[USAGE]) {
			print_usage(stdout, argv[0], usage);
		} else if (option == &common[VERSION]) {
			puts("utf8val " UTF8VAL_VERSION);
		} else {
			wrong = note(&parser, row);
			if (!wrong)
				wrong = take(option, optarg);
			if (wrong)
				refuse_use(argv[0], option, wrong);
			if (usage->told && option->told)
				tell(usage->told, option);
			continue;
		}
		exit(text_finish() ? STATUS_GOOD : STATUS_TROUBLE);
	}
	check_given(&parser, argv[0]);
	return optind;
}
