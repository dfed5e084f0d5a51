// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "guess_model.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>

struct charset_data {
	const char *name;
	unsigned int rare;		/* in eighths of a nat */
	const char16_t *chars;		/* of the bytes from 0x80 on */
	const char *kinds;		/* likewise: see enum kind */
};

struct language_data {
	const char *name;
	unsigned int rare;
	unsigned long long charsets;	/* it was written in */
	unsigned int size;		/* letters and two */
	const char16_t *letters, *capitals;
	const char *const *costs;	/* size rows of size */
};

#include "guess_tables.h"

#define SINGLE (sizeof(charset_data) / sizeof(charset_data[0]))
#define LANGUAGES (sizeof(language_data) / sizeof(language_data[0]))

/* what a byte is in a charset, as guess_tables.h writes it */
enum kind {
	NEITHER = ' ',		/* ASCII that is no letter */
	LOWER = 'l',
	UPPER = 'u',
	LETTER = 'o',		/* of a script without case */
	/* signs that names have */
	OPENING = '(',		/* before a word */
	CLOSING = ')',		/* after one */
	ALONE = ',',
	BLANK = '_',
	RARE = 'r',
	NOTHING = '!',
};

/* classes: no letter, a letter of another language, then the letters */
enum { NO_LETTER, STRANGER, FIRST_LETTER };
/* a letter of ASCII in a language of another script */
#define LATIN 0xFF

/* English is what foreign words in any name mostly are; it comes first */
#define ENGLISH 0

/* costs in eighths of a nat, chosen by tools/bench/guess.py */
#define COST_SIGN 42
#define COST_RARE 92
#define COST_BESIDE_SIGN 24	/* a letter where none should be */
#define COST_LATIN 24		/* a letter, in a language of another script */
#define COST_SCRIPT 48		/* the script changes inside a word */
#define COST_FOREIGN 12		/* a word is English instead */
#define COST_CAPITALS 20	/* a word is all in capitals */
#define COST_TITLE 7		/* only its first letter is one */
#define COST_SMALL 4
#define COST_MIXED 56		/* a capital follows a small letter */
#define COST_NOISE 46		/* any byte from 0x80 on */
#define COST_NOISE_LETTER 27	/* and a letter beside it */
/* East Asian characters outside the grid that all know */
#define COST_EXTENDED 96
#define COST_HALF_KANA 60
#define COST_BESIDE 20		/* a letter of ASCII beside one */
/* words in ASCII say little of the charset, and are often foreign */
#define ASCII_WEIGHT(cost) ((cost) * 3 / 8)
#define IMPOSSIBLE 0xFFFFFF

struct language {
	const struct language_data *data;
	bool latin;
	uint8_t costs[96 * 96];
};

struct single {
	uint8_t kinds[256];
};

enum east_asian { CP932, EUC_JP, GB18030, CP949, CP950, EAST_ASIAN };

_Static_assert(1 + SINGLE + EAST_ASIAN <= MODEL_CHARSETS, "too many charsets");

static const struct {
	const char *name, *variant, *language;
	unsigned int rare;
} east_asian[EAST_ASIAN] = {
	[CP932] = { "SHIFT_JIS", "CP932", "ja", 0 },
	[EUC_JP] = { "EUC-JP", "EUC-JP-MS", "ja", 8 },
	[GB18030] = { "GBK", "GB18030", "zh", 0 },
	[CP949] = { "EUC-KR", "CP949", "ko", 2 },
	[CP950] = { "BIG5", "BIG5-HKSCS", "zh", 2 },
};

unsigned int model_readings;
struct model_reading model_reading[MODEL_READINGS];

static struct language languages[LANGUAGES];
/* charset 0 is none; East Asian ones follow the single-byte ones */
static struct single singles[SINGLE + 1];
static uint8_t classes[MODEL_READINGS][256];
/* readings of a single byte come first, then East Asian ones */
static unsigned int single_readings;
static uint64_t impossible[256];	/* charsets that lack a byte */
static uint8_t first_same[256][SINGLE + 1];	/* charset with that character */
static uint8_t reading_of[SINGLE + 1][LANGUAGES];	/* 0: none */

static unsigned int cost_of(char c)
{
	/* these two are left out */
	return (unsigned int)(c - '#' - (c > '?') - (c > '\\'));
}

static bool is_ascii_letter(uint8_t byte)
{
	return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

static bool is_letter(uint8_t kind)
{
	return kind == LOWER || kind == UPPER || kind == LETTER;
}

static uint8_t class_of(const struct language_data *data, char16_t c)
{
	for (unsigned int i = 0; i + FIRST_LETTER < data->size; i++) {
		if (data->letters[i] == c || data->capitals[i] == c)
			return (uint8_t)(i + FIRST_LETTER);
	}
	return STRANGER;
}

static void init_reading(unsigned int charset, unsigned int number)
{
	const struct language_data *data = &language_data[number];
	uint8_t *class = classes[model_readings];

	for (unsigned int b = 0; b < 256; b++) {
		char16_t c = b < 0x80 ? (char16_t)b :
			     charset_data[charset - 1].chars[b - 0x80];

		if (!is_letter(singles[charset].kinds[b]))
			class[b] = NO_LETTER;
		else if (b < 0x80 && !languages[number].latin)
			class[b] = LATIN;
		else
			class[b] = class_of(data, c);
	}
	if (model_readings == MODEL_READINGS - EAST_ASIAN)
		abort();
	reading_of[charset][number] = (uint8_t)model_readings;
	model_reading[model_readings++] = (struct model_reading){
		.charset = (uint8_t)charset,
		.language = (uint8_t)number,
		.prior = expf(-(float)(data->rare +
				       charset_data[charset - 1].rare) / 8),
	};
}

/* The system's language, as setlocale() looks for it. */
static const char *own_language(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (unsigned int i = 0; i < 3; i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return value;
	}
	return "";
}

static bool is_own(const char *language)
{
	const char *own = own_language();
	size_t len = strlen(language);

	if (!strcmp(language, "no") && (!strncmp(own, "nb", 2) ||
					!strncmp(own, "nn", 2)))
		return true;
	return !strncmp(own, language, len) &&
	       (own[len] == '_' || own[len] == '.' || own[len] == '\0');
}

/* The readings' shares: among all, and in their charset. */
static void init_priors(void)
{
	float sum = 0, in_charset[MODEL_CHARSETS] = { 0 };

	for (unsigned int r = 0; r < model_readings; r++) {
		struct model_reading *reading = &model_reading[r];
		const char *language = "";

		if (reading->charset > SINGLE)
			language = east_asian[reading->charset - SINGLE - 1]
					   .language;
		else if (reading->charset)
			language = language_data[reading->language].name;
		/* the system's own language is the more probable one */
		if (*language && is_own(language))
			reading->prior *= 8;
		sum += reading->prior;
		in_charset[reading->charset] += reading->prior;
	}
	for (unsigned int r = 0; r < model_readings; r++) {
		struct model_reading *reading = &model_reading[r];

		reading->in_charset = reading->prior /
				      in_charset[reading->charset];
		reading->prior /= sum;
	}
}

static void init(void)
{
	for (unsigned int i = 0; i < LANGUAGES; i++) {
		const struct language_data *data = &language_data[i];

		languages[i].data = data;
		languages[i].latin = data->letters[0] == 'a';
		for (unsigned int k = 0; k < data->size * data->size; k++)
			languages[i].costs[k] = (uint8_t)cost_of(
				data->costs[k / data->size][k % data->size]);
	}
	for (unsigned int c = 1; c <= SINGLE; c++) {
		for (unsigned int b = 0; b < 256; b++)
			singles[c].kinds[b] =
				(uint8_t)(b >= 0x80 ?
				 charset_data[c - 1].kinds[b - 0x80] :
				 !is_ascii_letter((uint8_t)b) ? NEITHER :
				 b & 0x20 ? LOWER : UPPER);
		for (unsigned int b = 0x80; b < 256; b++) {
			if (singles[c].kinds[b] == NOTHING)
				impossible[b] |= 1ull << c;
		}
	}
	for (unsigned int b = 0x80; b < 256; b++) {
		for (unsigned int c = 1; c <= SINGLE; c++) {
			unsigned int first = 1;

			while (charset_data[first - 1].chars[b - 0x80] !=
			       charset_data[c - 1].chars[b - 0x80])
				first++;
			first_same[b][c] = (uint8_t)first;
		}
	}
	model_reading[model_readings++].prior = expf(-4);
	for (unsigned int c = 1; c <= SINGLE; c++) {
		for (unsigned int i = 0; i < LANGUAGES; i++) {
			if (language_data[i].charsets >> (c - 1) & 1)
				init_reading(c, i);
		}
	}
	single_readings = model_readings;
	for (unsigned int i = 0; i < EAST_ASIAN; i++)
		model_reading[model_readings++] = (struct model_reading){
			.charset = (uint8_t)(SINGLE + 1 + i),
			.prior = expf(-(float)east_asian[i].rare / 8),
		};
	init_priors();
}

void model_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, init);
}

/* The end of what is before an extension, which all charsets share. */
static size_t stem_of(const uint8_t *name, size_t len)
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

static bool in_word(uint8_t byte)
{
	return byte >= 0x80 || is_ascii_letter(byte);
}

/* The word that begins here, and whether it has more than ASCII. */
static size_t word_at(const uint8_t *s, size_t len, bool *high)
{
	size_t i = 0;

	*high = false;
	for (; i < len && in_word(s[i]); i++)
		*high |= s[i] >= 0x80;
	return i;
}

static unsigned int ascii_word(const struct language *language,
			       const uint8_t *s, size_t len)
{
	unsigned int size = language->data->size, before = NO_LETTER, cost = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned int class = FIRST_LETTER + (s[i] | 0x20u) - 'a';

		cost += language->costs[before * size + class];
		before = class;
	}
	return cost + language->costs[before * size];
}

/* A word of ASCII in each language; often it is English in all of them. */
static void add_ascii_word(const uint8_t *s, size_t len,
			   unsigned int costs[static LANGUAGES])
{
	unsigned int english = ascii_word(&languages[ENGLISH], s, len);

	for (unsigned int i = 0; i < LANGUAGES; i++) {
		unsigned int cost = english + COST_FOREIGN;

		if (languages[i].latin) {
			unsigned int own = ascii_word(&languages[i], s, len);

			cost = own < cost ? own : cost;
		}
		costs[i] += ASCII_WEIGHT(cost);
	}
}

static unsigned int noise_word(const uint8_t *s, size_t len)
{
	unsigned int cost = 0;

	for (size_t i = 0; i < len; i++)
		cost += s[i] >= 0x80 ? COST_NOISE : COST_NOISE_LETTER;
	return cost;
}

/* Small letters, a capital first, or all of them; what else costs much. */
static unsigned int case_cost(const uint8_t *kinds, const uint8_t *s,
			      size_t len)
{
	unsigned int capitals = 0, small = 0, breaks = 0;

	for (size_t i = 0; i < len; i++) {
		uint8_t kind = kinds[s[i]];

		capitals += kind == UPPER;
		small += kind == LOWER;
		if (kind == UPPER && i && kinds[s[i - 1]] == LOWER)
			breaks += s[i] >= 0x80 || s[i - 1] >= 0x80;
		/* "ABc" */
		if (kind == LOWER && i > 1 && kinds[s[i - 1]] == UPPER &&
		    kinds[s[i - 2]] == UPPER)
			breaks += s[i] >= 0x80 || s[i - 1] >= 0x80 ||
				  s[i - 2] >= 0x80;
	}
	if (breaks)
		return COST_MIXED + 16 * (breaks - 1);
	if (!capitals)
		return small ? COST_SMALL : 0;
	if (capitals > 1 && !small)
		return COST_CAPITALS;
	return COST_TITLE;
}

static unsigned int sign_cost(const uint8_t *kinds, const uint8_t *s,
			      size_t len, size_t i, char16_t sign)
{
	unsigned int kind = kinds[s[i]];
	unsigned int cost = kind == RARE ? COST_RARE : COST_SIGN;
	bool after = i && is_letter(kinds[s[i - 1]]);
	bool before = i + 1 < len && is_letter(kinds[s[i + 1]]);

	/* an apostrophe, and Catalan's dot */
	if (before && after && (sign == 0x2019 || sign == 0xB7))
		return cost;
	if (after && kind != CLOSING && kind != BLANK)
		cost += COST_BESIDE_SIGN;
	if (before && kind != OPENING && kind != BLANK)
		cost += COST_BESIDE_SIGN;
	return cost;
}

/* A word with bytes from 0x80 on, in a reading. */
static unsigned int high_word(unsigned int r, const uint8_t *s, size_t len)
{
	const struct model_reading *reading = &model_reading[r];
	const struct language *language = &languages[reading->language];
	const uint8_t *kinds = singles[reading->charset].kinds;
	const uint8_t *class = classes[r];
	unsigned int size = language->data->size, before = NO_LETTER;
	unsigned int cost = case_cost(kinds, s, len);

	for (size_t i = 0; i < len; i++) {
		uint8_t now = class[s[i]];

		if (now == LATIN) {
			cost += COST_LATIN + language->costs[before * size];
			if (before != NO_LETTER)
				cost += COST_SCRIPT;
			before = NO_LETTER;
			continue;
		}
		if (now == NO_LETTER) {
			cost += sign_cost(kinds, s, len, i,
					  charset_data[reading->charset - 1]
						  .chars[s[i] - 0x80]);
			if (before == NO_LETTER)
				continue;
		} else if (i && class[s[i - 1]] == LATIN) {
			cost += COST_SCRIPT;
		}
		cost += language->costs[before * size + now];
		before = now;
	}
	return cost + (before == NO_LETTER ? 0 :
		       language->costs[before * size]);
}

/* One of East Asia's characters: its length, 0 when it is none. */
static size_t grid_cost(enum east_asian charset, const uint8_t *s, size_t len,
			unsigned int *cost)
{
	unsigned int lead = s[0], trail = len > 1 ? s[1] : 0;
	const char *const *grid;

	switch (charset) {
	case CP932:
		if (lead >= 0xA1 && lead <= 0xDF) {
			*cost = COST_HALF_KANA;
			return 1;
		}
		if (trail < 0x40 || trail == 0x7F || trail > 0xFC ||
		    lead == 0x80 || lead == 0xA0 || lead > 0xFC)
			return 0;
		*cost = COST_EXTENDED;
		if (lead > 0xEF)
			return lead > 0xF9 ? 2 : 0;
		/* two rows of 94 for each first byte */
		lead = 2 * (lead < 0xA0 ? lead - 0x81 : lead - 0xC1) +
		       (trail >= 0x9F);
		trail -= trail >= 0x9F ? 0x9F : trail > 0x7F ? 0x41 : 0x40;
		grid = ja_grid;
		break;
	case EUC_JP:
		if (lead == 0x8E) {
			*cost = COST_HALF_KANA;
			return trail >= 0xA1 && trail <= 0xDF ? 2 : 0;
		}
		*cost = COST_EXTENDED;
		if (lead == 0x8F)
			return trail >= 0xA1 && len > 2 && s[2] >= 0xA1 ? 3 : 0;
		if (lead < 0xA1 || trail < 0xA1 || trail == 0xFF ||
		    lead == 0xFF)
			return 0;
		grid = ja_grid;
		lead -= 0xA1;
		trail -= 0xA1;
		break;
	case GB18030:
		*cost = COST_EXTENDED;
		if (lead == 0x80 || lead == 0xFF)
			return 0;
		if (trail >= '0' && trail <= '9') {
			*cost *= 2;
			return len > 3 && s[2] > 0x80 && s[2] < 0xFF &&
			       s[3] >= '0' && s[3] <= '9' ? 4 : 0;
		}
		if (trail < 0x40 || trail == 0x7F || trail == 0xFF)
			return 0;
		if (lead < 0xA1 || trail < 0xA1)
			return 2;
		grid = zh_grid;
		lead -= 0xA1;
		trail -= 0xA1;
		break;
	case CP949:
		*cost = COST_EXTENDED;
		if (lead < 0x81 || lead > 0xFD || trail < 0x41 ||
		    trail == 0xFF)
			return 0;
		if (lead < 0xA1 || trail < 0xA1)
			return lead < 0xC7 && (trail > 0x80 ||
					       is_ascii_letter((uint8_t)trail))
				       ? 2 : 0;
		grid = ko_grid;
		lead -= 0xA1;
		trail -= 0xA1;
		break;
	default:
		*cost = COST_EXTENDED;
		if (lead < 0xA1 || lead > 0xF9 || trail < 0x40 ||
		    (trail > 0x7E && trail < 0xA1) || trail == 0xFF)
			return 0;
		grid = zh_hant_grid;
		lead -= 0xA1;
		trail = trail < 0x7F ? trail - 0x40 : trail - 0xA1 + 63;
	}
	if (grid[lead][trail] == '~')	/* vendors have filled in some gaps */
		return charset == CP932 || charset == GB18030 ||
		       charset == CP950 ? 2 : 0;
	*cost = cost_of(grid[lead][trail]);
	return 2;
}

static unsigned int east_asian_cost(enum east_asian charset, const uint8_t *s,
				    size_t len)
{
	unsigned int sum = 0, cost;
	bool beside = false;

	for (size_t i = 0; i < len;) {
		size_t used;

		if (s[i] >= 0x80) {
			used = grid_cost(charset, s + i, len - i, &cost);
			if (!used)
				return IMPOSSIBLE;
			sum += cost;
			i += used;
			beside = true;
			continue;
		}
		for (used = 0; i + used < len && is_ascii_letter(s[i + used]);)
			used++;
		if (used) {
			cost = ascii_word(&languages[ENGLISH], s + i, used) +
			       COST_FOREIGN;
			beside |= i + used < len && s[i + used] >= 0x80;
			sum += beside ? cost + COST_BESIDE : ASCII_WEIGHT(cost);
		}
		i += used ? used : 1;
		beside = false;
	}
	return sum;
}

/* A word in every reading; charsets often make the same of it. */
static void add_high_word(const uint8_t *s, size_t len, uint64_t lacking,
			  unsigned int whole[static MODEL_READINGS])
{
	uint64_t sums[SINGLE + 1] = { 0 };
	uint8_t same[SINGLE + 1];
	unsigned int costs[MODEL_READINGS];

	for (size_t i = 0; i < len; i++) {
		for (unsigned int c = 1; s[i] >= 0x80 && c <= SINGLE; c++)
			sums[c] = sums[c] * 0x9E3779B97F4A7C15 +
				  first_same[s[i]][c];
	}
	for (unsigned int c = 1; c <= SINGLE; c++) {
		same[c] = 1;
		/* one that lacks a byte elsewhere in the name is not read */
		while (same[c] < c && (sums[same[c]] != sums[c] ||
				       (lacking >> same[c] & 1)))
			same[c]++;
	}
	for (unsigned int r = 1; r < single_readings; r++) {
		const struct model_reading *reading = &model_reading[r];
		unsigned int charset = reading->charset, twin = 0;

		if (lacking >> charset & 1)
			continue;
		if (same[charset] != charset)
			twin = reading_of[same[charset]][reading->language];
		costs[r] = twin ? costs[twin] : high_word(r, s, len);
		whole[r] += costs[r];
	}
}

void model_costs(const uint8_t *name, size_t len,
		 uint8_t costs[static MODEL_READINGS])
{
	unsigned int whole[MODEL_READINGS] = { 0 }, ascii[LANGUAGES] = { 0 };
	unsigned int best = IMPOSSIBLE;
	uint64_t lacking = 0;

	len = stem_of(name, len);
	for (size_t i = 0; i < len; i++)
		lacking |= impossible[name[i]];
	for (size_t i = 0; i < len;) {
		bool high;
		size_t word = word_at(name + i, len - i, &high);

		if (!high && word) {
			add_ascii_word(name + i, word, ascii);
		} else if (high) {
			whole[MODEL_NOISE] += noise_word(name + i, word);
			add_high_word(name + i, word, lacking, whole);
		}
		i += word ? word : 1;
	}
	whole[MODEL_NOISE] += ascii[ENGLISH];
	for (unsigned int r = 1; r < single_readings; r++) {
		if (lacking >> model_reading[r].charset & 1)
			whole[r] = IMPOSSIBLE;
		else
			whole[r] += ascii[model_reading[r].language];
	}
	for (unsigned int i = 0; i < EAST_ASIAN; i++)
		whole[single_readings + i] = east_asian_cost(i, name, len);
	for (unsigned int r = 0; r < model_readings; r++)
		best = whole[r] < best ? whole[r] : best;
	for (unsigned int r = 0; r < model_readings; r++) {
		unsigned int cost = (whole[r] - best) / 2;

		costs[r] = whole[r] == IMPOSSIBLE ? MODEL_IMPOSSIBLE :
			   cost < MODEL_IMPOSSIBLE ? (uint8_t)cost :
						     MODEL_IMPOSSIBLE - 1;
	}
}

bool model_fits(unsigned int r, const uint8_t *name, size_t len)
{
	unsigned int charset = model_reading[r].charset;
	unsigned int own = 0, noise = 0;

	if (!charset || charset > SINGLE)
		return false;
	len = stem_of(name, len);
	for (size_t i = 0; i < len;) {
		bool high;
		size_t word = word_at(name + i, len - i, &high);

		for (size_t k = i; k < i + word; k++) {
			if (impossible[name[k]] >> charset & 1)
				return false;
		}
		if (high) {
			own += high_word(r, name + i, word);
			noise += noise_word(name + i, word);
		}
		i += word ? word : 1;
	}
	return own * 20 < noise * 19;
}

bool model_differs(unsigned int a, unsigned int b, uint8_t byte)
{
	return !model_same(a, b, &byte, 1);
}

bool model_same(unsigned int a, unsigned int b, const uint8_t *name, size_t len)
{
	if (a == b)
		return true;
	if (!a || !b || a > SINGLE || b > SINGLE)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (name[i] >= 0x80 &&
		    charset_data[a - 1].chars[name[i] - 0x80] !=
		    charset_data[b - 1].chars[name[i] - 0x80])
			return false;
	}
	return true;
}

const char *model_charset_name(unsigned int charset)
{
	return charset > SINGLE ? east_asian[charset - SINGLE - 1].name :
				  charset_data[charset - 1].name;
}

const char *model_charset_variant(unsigned int charset)
{
	return charset > SINGLE ? east_asian[charset - SINGLE - 1].variant :
				  NULL;
}

bool model_is_odd(unsigned int charset, const uint8_t *name, size_t len)
{
	const uint8_t *kinds;

	if (!charset || charset > SINGLE)
		return false;
	kinds = singles[charset].kinds;
	for (size_t i = 0; i < len; i++) {
		bool high = name[i] >= 0x80 || (i && name[i - 1] >= 0x80);

		if (kinds[name[i]] == RARE || kinds[name[i]] == NOTHING)
			return true;
		if (high && i && kinds[name[i]] == UPPER &&
		    kinds[name[i - 1]] == LOWER)
			return true;
	}
	return false;
}
