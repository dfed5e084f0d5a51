/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The tables of letter_tables.h about charsets and languages, for the files of guess/
 * that compute with them. The rest of the command uses model.h.
 */
#ifndef UTF8VAL_GUESS_DATA_H
#define UTF8VAL_GUESS_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <uchar.h>

#include "guess/sizes.h"

/* a name cannot be in this charset */
#define DATA_IMPOSSIBLE UINT16_MAX
/*
 * Nothing possible costs more, so 16 bits are enough. Noise costs a third of this at
 * most, and beside noise a higher cost would make no difference.
 */
#define DATA_MOST 32000
/* words in ASCII are often foreign: a word is English instead, in eighths of a nat */
#define COST_FOREIGN 12

struct charset_data {
	const char *name;
	bool joining;	/* bytes may join to one character: Hebrew and Vietnamese points */
	unsigned int rare;		/* in eighths of a nat */
	const char16_t *chars;		/* of the bytes from 0x80 on */
	unsigned int count;		/* languages that were written in it */
	const uint8_t *languages;	/* their numbers */
};

struct language_data {
	const char *name;
	unsigned int rare;
	unsigned int size;		/* letters and two */
	const char16_t *letters;
	const char *const *costs;	/* a row for each class: of those that follow it */
};

/* what a byte is in a charset */
enum kind {
	NEITHER,		/* ASCII that is no letter */
	LOWER,
	UPPER,
	LETTER,			/* of a script without case */
	/* signs that names have */
	OPENING,		/* before a word */
	CLOSING,		/* after one */
	ALONE,
	BLANK,
	RARE,
	NOTHING,
};

/* classes: no letter, a letter of another language, then the letters */
enum { NO_LETTER, OTHER_LETTER, FIRST_LETTER };
/* a letter of ASCII in a language of another script */
#define LATIN 0xFF

/* English is what foreign words in any name mostly are; it comes first */
#define ENGLISH 0

extern uint8_t data_kinds[MODEL_CHARSETS][256];		/* enum kind */
extern uint64_t data_lacking[256];			/* charsets without a byte */

/* A charset of East Asia: iconv's name of it, and of one that has more */
extern const struct east_asian_data {
	enum east_asian rules;	/* its own, or another one's after data_unzip() */
	const char *name, *variant, *language;
	unsigned int rare;
	const char *const *grid;	/* what its characters cost, by row */
} data_east_asian[EAST_ASIAN];

/*
 * The conversion that Info-ZIP's unzip applies to names in archives from DOS, in any
 * charset: it takes them for CP850 and writes ISO-8859-1. By each byte from 0x80 on
 * that it writes, the one that it has read; 0: it writes none.
 */
extern const uint8_t data_unzipped[128];
/* This one it ought to write, and leaves out. */
#define DATA_UNZIP_LACKS 0xFF
/* The word before the name of a charset that was treated so. */
#define DATA_UNZIP "unzip:"
static inline bool data_is_unzipped(const char *charset)
{
	return !strncmp(charset, DATA_UNZIP, sizeof(DATA_UNZIP) - 1);
}

/* Restore the bytes of a name, as many; false: unzip has not written it. */
bool data_unzip(const uint8_t *name, size_t len, uint8_t *to);

/* The letter of a language that this character is: a class. */
uint8_t data_class(unsigned int language, char16_t c);

/* Prepare all this, the first time. */
void data_init(void);

const struct charset_data *data_charset(unsigned int charset);
const struct language_data *data_language(unsigned int language);

/* Is it a letter of any of the languages, small or capital? */
bool data_in_alphabet(char16_t c);

/* A cost as letter_tables.h writes it, in eighths of a nat. */
static inline unsigned int data_cost(char c)
{
	/* these two are left out */
	return (unsigned int)(c - '#' - (c > '?') - (c > '\\'));
}

/* The cost of a class after another one in a language. */
static inline unsigned int data_follows(const struct language_data *language,
					unsigned int before, unsigned int after)
{
	return data_cost(language->costs[before][after]);
}

static inline bool is_ascii_letter(uint8_t byte)
{
	return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

/*
 * How many bytes a name has before its extension. An extension is a dot and up to four
 * ASCII letters or digits, which names in all charsets share.
 */
size_t stem_length(const uint8_t *name, size_t len);

/* Its hyphen, and what marks foreign sounds and abbreviations. */
static inline bool is_hebrew_sign(char16_t c)
{
	return c == 0x5BE || c == 0x5F3 || c == 0x5F4;
}

/* Is a character among these, which end with 0? */
static inline bool is_one_of(const char16_t *chars, char16_t c)
{
	while (*chars && *chars != c)
		chars++;
	return *chars;
}

static inline bool is_letter(uint8_t kind)
{
	return kind == LOWER || kind == UPPER || kind == LETTER;
}

#endif /* UTF8VAL_GUESS_DATA_H */
