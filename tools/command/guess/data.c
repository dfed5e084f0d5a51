// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The generated tables of languages and charsets, unpacked once. All files of guess/
 * read them. Without it, no row of bench-guess has a guess.
 */
#include "guess/data.h"

#include <pthread.h>
#include <unicase.h>
#include <unictype.h>

#include "guess/letter_tables.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

_Static_assert(COUNT(charset_data) == MODEL_SINGLE &&
	       COUNT(language_data) == MODEL_LANGUAGES,
	       "letter_tables.h and sizes.h are of two runs of the generator");

uint8_t data_kinds[MODEL_CHARSETS][256];
uint64_t data_lacking[256];

const struct charset_data *data_charset(unsigned int charset)
{
	return &charset_data[charset - 1];
}

const struct language_data *data_language(unsigned int language)
{
	return &language_data[language];
}

bool data_unzip(const uint8_t *name, size_t len, uint8_t *to)
{
	for (size_t i = 0; i < len; i++) {
		to[i] = name[i] < 0x80 ? name[i] : data_unzipped[name[i] - 0x80];
		if (name[i] >= 0x80 && !to[i])
			return false;
	}
	return true;
}

static uint8_t classes[MODEL_LANGUAGES][DATA_ALPHABETS];

bool data_in_alphabet(char16_t c)
{
	data_init();
	for (unsigned int i = 0; i < MODEL_LANGUAGES; i++) {
		if (c < DATA_ALPHABETS && classes[i][c])
			return true;
	}
	return false;
}

/* The letter itself where it has no capital. Turkish has one of its own for i. */
static char16_t capital_of(const struct language_data *data, char16_t letter)
{
	if (letter == 'i' && !strcmp(data->name, "tr"))
		return 0x130;
	return (char16_t)uc_toupper(letter);
}

static void init_language(unsigned int number)
{
	const struct language_data *data = &language_data[number];

	for (unsigned int i = data->size - FIRST_LETTER; i-- > 0;) {
		uint8_t class = (uint8_t)(i + FIRST_LETTER);
		char16_t capital = capital_of(data, data->letters[i]);

		classes[number][data->letters[i]] = class;
		if (capital < DATA_ALPHABETS)
			classes[number][capital] = class;
	}
}

uint8_t data_class(unsigned int number, char16_t c)
{
	return c < DATA_ALPHABETS && classes[number][c] ? classes[number][c] : OTHER_LETTER;
}

/* The class of a character beyond ASCII. Every sign that names do not have is rare. */
static enum kind kind_of(char16_t c)
{
	static const struct {
		enum kind kind;
		const char16_t *chars;
	} signs[] = {
		{ NOTHING, u"\uFFFD" },
		{ OPENING, u"«„“‚‘¡¿§©№€£" },
		{ CLOSING, u"»”’…°®™ª²³º" },
		{ ALONE, u"–—·´½×•\u05BE\u05F3\u05F4" },
		{ BLANK, u"\u00A0" },
		/* these are letters to Unicode */
		{ RARE, u"ƒµˆ˜ˇ" },
	};

	for (unsigned int i = 0; i < COUNT(signs); i++) {
		if (is_one_of(signs[i].chars, c))
			return signs[i].kind;
	}
	if (uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Ll))
		return LOWER;
	if (uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Lu))
		return UPPER;
	return uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Lo | UC_CATEGORY_MASK_Lm |
						   UC_CATEGORY_MASK_Mn | UC_CATEGORY_MASK_Mc) ?
		       LETTER : RARE;
}

static void init_charset(unsigned int charset)
{
	const char16_t *chars = charset_data[charset - 1].chars;

	for (unsigned int b = 0; b < 0x80; b++)
		data_kinds[charset][b] = !is_ascii_letter((uint8_t)b) ? NEITHER :
					 b & 0x20 ? LOWER : UPPER;
	for (unsigned int b = 0x80; b < 256; b++) {
		data_kinds[charset][b] = (uint8_t)kind_of(chars[b - 0x80]);
		if (data_kinds[charset][b] == NOTHING)
			data_lacking[b] |= 1ull << charset;
	}
}

static void init(void)
{
	for (unsigned int i = 0; i < MODEL_LANGUAGES; i++)
		init_language(i);
	for (unsigned int c = 1; c <= MODEL_SINGLE; c++)
		init_charset(c);
}

void data_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, init);
}

size_t stem_length(const uint8_t *name, size_t len)
{
	for (size_t i = len; i > 1 && len - i <= 5; i--) {
		uint8_t byte = name[i - 1];

		if (byte == '.')
			return i - 1;
		if (!is_ascii_letter(byte) && (byte < '0' || byte > '9'))
			break;
	}
	return len;
}
