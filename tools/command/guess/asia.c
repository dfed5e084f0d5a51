// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The cost of a name in each charset of East Asia. guess/model.c calls it. Without it, no
 * guess in "ja cp932" and eight more rows of bench-guess is right.
 */
#include "guess/asia.h"

#include <limits.h>
#include <string.h>

#include "guess/words.h"

/* costs in eighths of a nat, chosen by tools/bench/guess.py --tuned */
#define COST_EXTENDED 96	/* outside the grid that all know */
#define COST_HALF_KANA 60
#define COST_BESIDE 20		/* a letter of ASCII beside one of them: "TV" */
#define COST_GLUED 48		/* a small one, as where scripts change inside a word */

/* on average: a name of characters that hardly any name has */
#define ODD_AVERAGE 85
#define ODD_GLUED 72	/* with a small letter of ASCII beside one of them */

/* so much rarer must another character be that unzip writes as the same byte */
#define LACKS_LEAST 55

/* The bytes before unzip has written others, if that is what it has done; or NULL. */
static const uint8_t *own_bytes(enum east_asian charset, const uint8_t *s, size_t len,
				uint8_t room[static NAME_MAX])
{
	if (data_east_asian[charset].rules == charset)
		return s;
	return len <= NAME_MAX && data_unzip(s, len, room) ? room : NULL;
}

/* A character of two bytes: its place in its charset's grid, or what it costs. */
struct spot {
	unsigned int lead, trail, cost;
};

/* The result of the functions below for a character whose cost is in the grid. */
#define IN_GRID SIZE_MAX

static size_t find_cp932(struct spot *at)
{
	unsigned int lead = at->lead, trail = at->trail;

	if (lead >= 0xA1 && lead <= 0xDF) {
		at->cost = COST_HALF_KANA;
		return 1;
	}
	if (trail < 0x40 || trail == 0x7F || trail > 0xFC ||
	    lead == 0x80 || lead == 0xA0 || lead > 0xFC)
		return 0;
	if (lead > 0xEF)
		return lead > 0xF9 ? 2 : 0;
	/* two rows of 94 for each first byte */
	at->lead = 2 * (lead < 0xA0 ? lead - 0x81 : lead - 0xC1) + (trail >= 0x9F);
	at->trail -= trail >= 0x9F ? 0x9F : trail > 0x7F ? 0x41 : 0x40;
	return IN_GRID;
}

static size_t find_euc_jp(struct spot *at, const uint8_t *s, size_t len)
{
	if (at->lead == 0x8E) {
		at->cost = COST_HALF_KANA;
		return at->trail >= 0xA1 && at->trail <= 0xDF ? 2 : 0;
	}
	if (at->lead == 0x8F)
		return at->trail >= 0xA1 && len > 2 && s[2] >= 0xA1 ? 3 : 0;
	if (at->lead < 0xA1 || at->trail < 0xA1 || at->trail == 0xFF || at->lead == 0xFF)
		return 0;
	at->lead -= 0xA1;
	at->trail -= 0xA1;
	return IN_GRID;
}

static size_t find_gb18030(struct spot *at, const uint8_t *s, size_t len)
{
	if (at->lead == 0x80 || at->lead == 0xFF)
		return 0;
	if (at->trail >= '0' && at->trail <= '9') {
		at->cost *= 2;
		return len > 3 && s[2] > 0x80 && s[2] < 0xFF &&
		       s[3] >= '0' && s[3] <= '9' ? 4 : 0;
	}
	if (at->trail < 0x40 || at->trail == 0x7F || at->trail == 0xFF)
		return 0;
	if (at->lead < 0xA1 || at->trail < 0xA1)
		return 2;
	at->lead -= 0xA1;
	at->trail -= 0xA1;
	return IN_GRID;
}

static size_t find_cp949(struct spot *at)
{
	if (at->lead < 0x81 || at->lead > 0xFD || at->trail < 0x41 || at->trail == 0xFF)
		return 0;
	if (at->lead < 0xA1 || at->trail < 0xA1)
		return at->lead < 0xC7 && (at->trail > 0x80 ||
					   is_ascii_letter((uint8_t)at->trail)) ? 2 : 0;
	at->lead -= 0xA1;
	at->trail -= 0xA1;
	return IN_GRID;
}

static size_t find_cp950(struct spot *at)
{
	if (at->lead < 0xA1 || at->lead > 0xF9 || at->trail < 0x40 ||
	    (at->trail > 0x7E && at->trail < 0xA1) || at->trail == 0xFF)
		return 0;
	at->lead -= 0xA1;
	at->trail = at->trail < 0x7F ? at->trail - 0x40 : at->trail - 0xA1 + 63;
	return IN_GRID;
}

/* One of East Asia's characters: its length, 0 when it is none. */
static size_t grid_cost(enum east_asian charset, const uint8_t *s, size_t len,
			unsigned int *cost)
{
	struct spot at = { s[0], len > 1 ? s[1] : 0, COST_EXTENDED };
	size_t used;
	char known;

	switch (charset) {
	case CP932:
		used = find_cp932(&at);
		break;
	case EUC_JP:
		used = find_euc_jp(&at, s, len);
		break;
	case GB18030:
		used = find_gb18030(&at, s, len);
		break;
	case CP949:
		used = find_cp949(&at);
		break;
	default:
		used = find_cp950(&at);
	}
	*cost = at.cost;
	if (used != IN_GRID)
		return used;
	known = data_east_asian[charset].grid[at.lead][at.trail];
	if (known == '~')	/* vendors have filled in some gaps */
		return charset == CP932 || charset == GB18030 || charset == CP950 ? 2 : 0;
	*cost = data_cost(known);
	return 2;
}

uint16_t asia_cost(enum east_asian charset, const uint8_t *s, size_t len)
{
	unsigned int sum = 0, cost;
	bool beside = false, before, glued;
	uint8_t room[NAME_MAX];

	s = own_bytes(charset, s, len, room);
	if (!s)
		return DATA_IMPOSSIBLE;
	charset = data_east_asian[charset].rules;
	for (size_t i = 0; i < len;) {
		size_t used;

		if (s[i] >= 0x80) {
			used = grid_cost(charset, s + i, len - i, &cost);
			if (!used)
				return DATA_IMPOSSIBLE;
			sum += cost;
			i += used;
			beside = true;
			continue;
		}
		for (used = 0; i + used < len && is_ascii_letter(s[i + used]);)
			used++;
		if (used) {
			cost = words_english(s + i, used) + COST_FOREIGN;
			before = i + used < len && s[i + used] >= 0x80;
			glued = (beside && (s[i] & 0x20)) ||
				(before && (s[i + used - 1] & 0x20));
			sum += glued ? cost + COST_GLUED :
			       beside || before ? cost + COST_BESIDE : cost;
		}
		i += used ? used : 1;
		beside = false;
	}
	return (uint16_t)(sum < DATA_MOST ? sum : DATA_MOST);
}

/*
 * Is the name odd in this charset? It is in one of three cases:
 *
 * - A half-width letter, of one byte or after 8E, stands alone.
 * - One full-width character stands alone in a word of ASCII.
 * - The characters are rare on average. If one is beside a small letter of ASCII, less rare
 *   ones are odd.
 */
bool asia_is_odd(enum east_asian charset, const uint8_t *s, size_t len)
{
	unsigned int cost, halves = 0, run = 0, sum = 0, count = 0;
	bool after_letter = false, after_small = false, glued = false;
	uint8_t room[NAME_MAX];
	size_t used;

	s = own_bytes(charset, s, len, room);
	charset = data_east_asian[charset].rules;
	if (!s)
		return true;
	for (size_t i = 0; i <= len; i += used) {
		bool wide = i < len && s[i] >= 0x80;
		bool small = i < len && s[i] >= 'a' && s[i] <= 'z';
		bool half = false;

		glued |= (wide && after_small) || (small && run);
		after_small = small;
		used = wide ? grid_cost(charset, s + i, len - i, &cost) : 1;
		if (!used)
			return true;
		if (wide) {
			half = cost == COST_HALF_KANA &&
			       (charset == CP932 || charset == EUC_JP) &&
			       (used == 1 || s[i] == 0x8E);
			sum += cost;
			count++;
		}
		if (!half && halves == 1)
			return true;
		halves = half ? halves + 1 : 0;
		if (!wide && run == 1 &&
		    (after_letter || (i < len && is_ascii_letter(s[i]))))
			return true;
		if (!wide)
			after_letter = i < len && is_ascii_letter(s[i]);
		run = wide ? run + 1 : 0;
	}
	return sum > count * (glued ? ODD_GLUED : ODD_AVERAGE);
}

/* The byte beside the usual one for which unzip writes this; 0: none, or many. */
static uint8_t other_than(uint8_t written)
{
	switch (written) {
	case 'i':
		return 0xD5;
	case '_':
		return 0xDC;
	case 0xAF:
		return 0xDF;
	default:
		return 0;
	}
}

bool asia_may_lack(enum east_asian charset, const uint8_t *s, size_t len)
{
	uint8_t room[NAME_MAX], other[2];
	const uint8_t *own = own_bytes(charset, s, len, room);
	unsigned int cost, other_cost;

	charset = data_east_asian[charset].rules;
	for (size_t i = 0, used; own && i < len; i += used ? used : 1) {
		used = own[i] >= 0x80 ? grid_cost(charset, own + i, len - i, &cost) : 1;
		if (used != 2)
			continue;
		other[0] = own[i];
		other[1] = other_than(s[i + 1]);
		/* this one it writes for many */
		if (s[i + 1] == 0xA6 ||
		    (other[1] && grid_cost(charset, other, 2, &other_cost) &&
		     other_cost != COST_EXTENDED && other_cost < cost + LACKS_LEAST))
			return true;
	}
	return false;
}
