// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Instructions per byte, counted by a clock (ticks.h) while QEMU runs with -icount
 * shift=0: every instruction then takes the same virtual time. The
 * figures are instructions, not cycles: they know no wait states, pipelines or caches.
 */
#include "boot.h"
#include "peers.h"
#include "ticks.h"

/* by GCC -Os */
size_t compact_utf8val_prefix(const void *buf, size_t len);
size_t word_utf8val_prefix(const void *buf, size_t len);
size_t fast_utf8val_prefix(const void *buf, size_t len);
/* by Clang -Oz */
size_t clang_compact_utf8val_prefix(const void *buf, size_t len);
size_t clang_word_utf8val_prefix(const void *buf, size_t len);
/* only where there is a vector unit */
size_t mve_utf8val_prefix(const void *buf, size_t len) __attribute__((weak));
size_t clang_mve_utf8val_prefix(const void *buf, size_t len) __attribute__((weak));

static const struct {
	const char *name;
	size_t (*prefix)(const void *buf, size_t len);
} engines[] = {
	{ "compact      ", compact_utf8val_prefix },
	{ "word         ", word_utf8val_prefix },
	{ "fast         ", fast_utf8val_prefix },
	{ "mve          ", mve_utf8val_prefix },
	{ "clang compact", clang_compact_utf8val_prefix },
	{ "clang word   ", clang_word_utf8val_prefix },
	{ "clang mve    ", clang_mve_utf8val_prefix },
	{ "if/else      ", peer_if_else },
	{ "textbook     ", peer_textbook },
	{ "by leads     ", peer_textbook_leads },
};

/* Each text is repeated, whole, as often as it fits. */
static const char *const texts[] = {
	/* ASCII */
	"The quick brown fox jumps over the lazy dog; it weighs 7.5 kg. ",
	/* two bytes: Greek and Cyrillic letters, no spaces */
	"ΞεσκεπάζωτηνψυχοφθόραβδελυγμίαСъешьещёэтихмягкихбулок",
	/* three bytes: Chinese and Japanese with their punctuation */
	"天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。いろはにほへとちりぬるを。",
	/* four bytes */
	"😀🎉🚀🌍🐧🔧🎵🧪",
	/* mixed: languages, signs and emoji, as messages have them */
	"Temperature 21 °C, Größe 5 µm. Привет, мир! Γειά σου Κόσμε. "
	"你好，世界。नमस्ते दुनिया। 안녕하세요 세계. Ça va? 👍🏽 ok 😀\n",
};
#define TEXTS (sizeof(texts) / sizeof(texts[0]))
#define ROOM 4000

static uint8_t room[ROOM] __attribute__((aligned(8)));

static size_t fill(const char *text)
{
	size_t len = 0;
	size_t used = 0;

	while (text[len])
		len++;
	for (; used + len <= ROOM; used += len)
		for (size_t i = 0; i < len; i++)
			room[used + i] = (uint8_t)text[i];
	return used;
}

/* Ticks of a loop of 2 * @rounds instructions. */
static uint32_t known_loop(uint32_t rounds)
{
	uint32_t begin;

	ticks_start();
	begin = ticks();
	ticks_pass(rounds);
	return ticks() - begin;
}

#define REPEAT 32

static void print_hundredths(size_t value)
{
	boot_puts(value < 1000 ? "   " : "  ");
	boot_putu(value / 100);
	boot_puts(".");
	boot_putu(value / 10 % 10);
	boot_putu(value % 10);
}

int main(void)
{
	uint32_t unit = known_loop(1u << 20);

	boot_puts("               ASCII 2-byte 3-byte 4-byte  mixed\n");
	for (size_t e = 0; e < sizeof(engines) / sizeof(engines[0]); e++) {
		if (!engines[e].prefix)
			continue;
		boot_puts(engines[e].name);
		for (size_t t = 0; t < TEXTS; t++) {
			size_t len = fill(texts[t]);
			uint32_t begin;
			uint32_t taken;
			bool ok = true;

			ticks_start();
			begin = ticks();
			for (int i = 0; i < REPEAT; i++)
				ok &= engines[e].prefix(room, len) == len;
			taken = ticks() - begin;
			if (!ok) {
				boot_puts(" wrong\n");
				return 1;
			}
			/* unit ticks are 2 << 20 instructions */
			print_hundredths((size_t)(
				((uint64_t)taken * (2u << 20) * 100 / unit +
				 REPEAT * len / 2) / (REPEAT * len)));
		}
		boot_puts("\n");
	}
	return 0;
}
