/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * utf8val: check, decode, walk and repair UTF-8 (RFC 3629).
 *
 * Names and meanings stay. A name that is to be removed is first marked as deprecated,
 * here and in CHANGELOG.md, with its replacement. It then stays for at least two more
 * minor versions.
 *
 * Guarantees, for every function here:
 *  - nothing outside [buf, buf + len) is read, whatever the bytes are, and a
 *    NUL is a character like any other;
 *  - no allocation, no recursion, no global mutable state: every function is
 *    reentrant, takes no lock, never sleeps and may run in any context,
 *    interrupt handlers included. The caller protects the objects that a
 *    function changes, such as streams and positions;
 *  - the time that a function takes grows with the number of bytes, at worst;
 *  - no library is needed, neither libc nor libgcc, on the CPUs that
 *    freestanding/README.md lists: with the compact, the word and the mve engine
 *    on all of them, with the fast one where registers have 64 bits. The
 *    vector engine, for hosts, uses libgcc or compiler-rt to detect the CPU.
 *    That page also lists the functions that some compilers call;
 *  - a length of 0 is well-formed, and the pointer may then be NULL. No other
 *    pointer may be NULL, unless its description says so.
 *
 * A length is at most PTRDIFF_MAX, because no object in C is larger. A stream
 * accepts any number of chunks of such lengths, SIZE_MAX bytes in all.
 *
 * A function fails only in the ways that "Return:" in its description lists.
 *
 * Lengths and positions count bytes. A sequence is the bytes of one well-formed
 * character or, where the input is ill-formed, one maximal subpart (1 to 3
 * bytes, which a single U+FFFD replaces; The Unicode Standard, section 3.9,
 * "U+FFFD Substitution of Maximal Subparts").
 *
 * A character is a code point, here and below. One character on a screen may be
 * several of them: a letter and its accent, or an emoji with its skin tone.
 * utf8val_floor(), utf8val_trim() and utf8val_count() do not keep such clusters
 * together; that takes Unicode's tables (UAX #29).
 *
 * U+0000, U+FEFF (the byte order mark) and noncharacters such as U+FFFE are
 * well-formed like any other code point. Normalisation and whether a code point is
 * assigned are not checked.
 *
 * Questions that more than one function answers:
 *  - cut to a number of bytes: utf8val_floor(); to n characters: n times
 *    utf8val_next(), as in examples/nth.c;
 *  - go on after an error, also in the same chunk of a stream: from valid + bad
 *    on; see utf8val_stream_feed() and examples/chunks.c;
 *  - which engine is compiled in: by default the vector engine on x86-64 and arm64
 *    hosts, the fast one with other 64-bit pointers, and the compact one elsewhere;
 *    engine/engine.h has the macros that choose.
 *
 * The comments have the structure of kernel-doc without its opening mark, because
 * Doxygen and Clang's -Wdocumentation would take that mark for theirs.
 */
#ifndef UTF8VAL_H
#define UTF8VAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Two libraries of one program may each contain utf8val, in different versions.
 * Neither must call the other's functions, so functions that are built into a library
 * are not visible outside it. These macros change that. Define them in the same way for
 * utf8val.c and for each file that includes this header:
 *
 *   UTF8VAL_API      stands before each declaration: for a shared library that offers
 *                    the functions, __attribute__((__visibility__("default"))) or
 *                    __declspec(dllexport)
 *   UTF8VAL_PREFIX   begins the name of each function in object files: for two static
 *                    libraries in one program. The sources write utf8val_ as ever
 *   UTF8VAL_STATIC   makes all functions static: for a single C file that includes
 *                    utf8val_single.h with UTF8VAL_IMPLEMENTATION
 */
#ifndef UTF8VAL_API
#if defined(UTF8VAL_STATIC) && defined(__GNUC__)
#define UTF8VAL_API static __attribute__((__unused__))
#elif defined(UTF8VAL_STATIC)
#define UTF8VAL_API static
#elif defined(__GNUC__) && !defined(_WIN32) && !defined(__CYGWIN__)
#define UTF8VAL_API __attribute__((__visibility__("hidden")))
#else
#define UTF8VAL_API
#endif
#endif

#ifdef UTF8VAL_PREFIX
#define UTF8VAL_PASTE(prefix, name) prefix##name
#define UTF8VAL_NAME(prefix, name) UTF8VAL_PASTE(prefix, name)
#define utf8val_valid UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_valid)
#define utf8val_prefix UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_prefix)
#define utf8val_check UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_check)
#define utf8val_reason_name UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_reason_name)
#define utf8val_stream_init UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_stream_init)
#define utf8val_stream_feed UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_stream_feed)
#define utf8val_stream_finish UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_stream_finish)
#define utf8val_next UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_next)
#define utf8val_prev UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_prev)
#define utf8val_encode UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_encode)
#define utf8val_count UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_count)
#define utf8val_floor UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_floor)
#define utf8val_trim UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_trim)
#define utf8val_replaced_size UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_replaced_size)
#define utf8val_replace UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_replace)
#define utf8val_step UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_step)
#define utf8val_feed UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_feed)
#define utf8val_version UTF8VAL_NAME(UTF8VAL_PREFIX, utf8val_version)
#endif

/* Compilers warn if the result of such a function is not used. */
#if defined(__GNUC__)
#define UTF8VAL_RESULT __attribute__((__warn_unused_result__))
#else
#define UTF8VAL_RESULT
#endif

#define UTF8VAL_VERSION "0.4.0"
/* the same for #if: 10000 * major + 100 * minor + patch */
#define UTF8VAL_VERSION_NUMBER 400

#ifdef __cplusplus
extern "C" {
#endif

/*
 * enum utf8val_reason - why a sequence is ill-formed
 * @UTF8VAL_OK: the sequence is well-formed
 * @UTF8VAL_TRUNCATED: the input ends inside a sequence that more bytes could
 *	complete
 * @UTF8VAL_STRAY_TAIL: a tail byte (80..BF) where a lead byte must stand
 * @UTF8VAL_MISSING_TAIL: a lead byte and its good tails, then no tail
 * @UTF8VAL_OVERLONG: a longer form of a smaller code point: C0, C1, E0 before
 *	80..9F, F0 before 80..8F
 * @UTF8VAL_SURROGATE: U+D800..U+DFFF: ED before A0..BF
 * @UTF8VAL_TOO_LARGE: above U+10FFFF: F4 before 90..BF, F5..F7
 * @UTF8VAL_BAD_LEAD: F8..FF, which no code point up to U+10FFFF has ever used
 * @UTF8VAL_END: no sequence is left; only utf8val_next() and utf8val_prev() return this
 */
enum utf8val_reason {
	UTF8VAL_OK = 0,
	UTF8VAL_TRUNCATED = 1,
	UTF8VAL_STRAY_TAIL = 2,
	UTF8VAL_MISSING_TAIL = 3,
	UTF8VAL_OVERLONG = 4,
	UTF8VAL_SURROGATE = 5,
	UTF8VAL_TOO_LARGE = 6,
	UTF8VAL_BAD_LEAD = 7,
	UTF8VAL_END = 255
};

/*
 * How many reasons there are, UTF8VAL_OK included and UTF8VAL_END not; their
 * numbers have no gaps.
 */
#define UTF8VAL_REASONS 8

/*
 * All reasons in the order of their numbers, for tables: X(end of the
 * constant's name, word) for each reason but the last one, which LAST() takes.
 */
#define UTF8VAL_REASON_LIST(X, LAST)		\
	X(OK, "ok")				\
	X(TRUNCATED, "truncated")		\
	X(STRAY_TAIL, "stray tail")		\
	X(MISSING_TAIL, "missing tail")		\
	X(OVERLONG, "overlong")			\
	X(SURROGATE, "surrogate")		\
	X(TOO_LARGE, "too large")		\
	LAST(BAD_LEAD, "bad lead")

/*
 * struct utf8val_result - where and why the first ill-formed sequence is
 * @valid: bytes before that sequence; the whole length when there is none
 * @bad: the sequence's length in bytes, 1 to 3; 0 when there is none
 * @reason: enum utf8val_reason
 *
 * The bytes from valid + bad on are not checked: to continue, call the function again
 * with those bytes.
 *
 * Functions return this structure by value, so it cannot get another member: a later
 * version will have another function for more results.
 */
struct utf8val_result {
	size_t valid;
	uint8_t bad;
	uint8_t reason;
};

/*
 * utf8val_valid() - is this well-formed UTF-8?
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many bytes
 *
 * Return: true when RFC 3629's UTF8-octets describes all @len bytes.
 */
UTF8VAL_API UTF8VAL_RESULT
bool utf8val_valid(const void *buf, size_t len);

/*
 * utf8val_prefix() - length of the longest well-formed prefix
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many bytes
 *
 * Return: the largest n <= @len for which utf8val_valid(buf, n) holds, in
 * bytes; the first ill-formed sequence starts there.
 */
UTF8VAL_API UTF8VAL_RESULT
size_t utf8val_prefix(const void *buf, size_t len);

/*
 * utf8val_check() - find and explain the first ill-formed sequence
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many bytes
 *
 * Return: the position, length and reason of that sequence; valid == @len,
 * bad == 0 and UTF8VAL_OK when there is none.
 */
UTF8VAL_API UTF8VAL_RESULT
struct utf8val_result utf8val_check(const void *buf, size_t len);

/*
 * utf8val_reason_name() - a reason as a word
 * @reason: enum utf8val_reason, or any other value
 *
 * Return: a constant, lower-case string such as "overlong"; "unknown" for a
 * value outside the enumeration. Never NULL.
 */
UTF8VAL_API UTF8VAL_RESULT
const char *utf8val_reason_name(unsigned int reason);

/*
 * struct utf8val_stream - a check over chunks
 * @valid: bytes from the stream's start to the last boundary
 * @bytes: the bytes since that boundary
 * @pending: how many of @bytes there are; once the stream is ill-formed, the
 *	length of the ill-formed sequence
 * @reason: enum utf8val_reason; UTF8VAL_OK as long as nothing was ill-formed
 *
 * The caller owns the stream and may copy it; the members are for reading only.
 * A stream has 16 bytes at most, keeps this size, and needs no clean-up.
 */
struct utf8val_stream {
	size_t valid;
	uint8_t bytes[4];
	uint8_t pending;
	uint8_t reason;
};

/*
 * utf8val_stream_init() - begin a check over chunks
 * @stream: the stream to set up; its contents before do not matter
 */
UTF8VAL_API
void utf8val_stream_init(struct utf8val_stream *stream);

/*
 * utf8val_stream_feed() - check the next chunk
 * @stream: set up by utf8val_stream_init()
 * @buf: the chunk; may be NULL when @len is 0
 * @len: its length in bytes
 *
 * However the input is cut into chunks, utf8val_stream_finish() gives the
 * same result. A character may span any number of chunks: the stream keeps the
 * character's bytes, so a chunk may be freed once this returns. After the first
 * ill-formed sequence further chunks are not read.
 *
 * To go on in the same chunk after false: utf8val_stream_finish() returns valid and
 * bad, and valid + bad is the number of bytes from the stream's start up to the end
 * of the ill-formed sequence. Less the bytes of the chunks before, it is the
 * position in this chunk. Call utf8val_stream_init(), and feed the chunk from that
 * position on.
 *
 * Return: false once the stream is ill-formed, true as long as more bytes
 * could still make it well-formed.
 */
UTF8VAL_API
bool utf8val_stream_feed(struct utf8val_stream *stream, const void *buf,
			 size_t len);

/*
 * utf8val_stream_finish() - the result, if the stream ended here
 * @stream: set up by utf8val_stream_init(); may be fed on afterwards
 *
 * Return: the result of utf8val_check() for all chunks in one piece. If size_t
 * cannot count the stream's bytes, valid is their number modulo SIZE_MAX + 1.
 */
UTF8VAL_API UTF8VAL_RESULT
struct utf8val_result
utf8val_stream_finish(const struct utf8val_stream *stream);

/*
 * utf8val_next() - decode the sequence at a position, and move past it
 * @pos: the position; moved by 1 to 4 bytes, and not at all when *@pos >= @end
 * @end: where the input ends; it and *@pos may be NULL when nothing is left
 * @cp: stores the code point (RFC 3629, section 3), or U+FFFD, the replacement
 *	character, for an ill-formed sequence and at the end
 *
 * At most four bytes are read. Where a byte breaks a sequence, the next call
 * begins with that byte. A loop over all sequences:
 *
 *	while ((reason = utf8val_next(&pos, end, &cp)) != UTF8VAL_END)
 *
 * Return: UTF8VAL_OK when the sequence is well-formed; the reason when it is
 * ill-formed; UTF8VAL_END when *@pos >= @end.
 */
UTF8VAL_API UTF8VAL_RESULT
enum utf8val_reason utf8val_next(const uint8_t **pos, const uint8_t *end,
				 uint32_t *cp);

/*
 * utf8val_prev() - decode the sequence before a position, and move to its start
 * @pos: the position; moved by 1 to 4 bytes, and not at all when *@pos <= @start
 * @start: where the input starts; it and *@pos may be NULL when nothing is before
 * @cp: stores the same value as utf8val_next()
 *
 * Called repeatedly from the input's end, this function visits exactly the
 * sequences that utf8val_next() visits from the start, in reverse order,
 * ill-formed ones included. At most four bytes are read, and none from *@pos on.
 * From a position inside a sequence it visits the sequences of an input that
 * ends at that position.
 *
 * The code points are the same; one reason may differ. A sequence that lacks a
 * tail may be ill-formed because of the byte after it: for E4 BD before 41,
 * utf8val_next() returns UTF8VAL_MISSING_TAIL, for E0 before 80 UTF8VAL_OVERLONG.
 * utf8val_prev() does not read that byte and returns UTF8VAL_TRUNCATED.
 *
 * Return: as utf8val_next(); UTF8VAL_END when *@pos <= @start.
 */
UTF8VAL_API UTF8VAL_RESULT
enum utf8val_reason utf8val_prev(const uint8_t **pos, const uint8_t *start,
				 uint32_t *cp);

/*
 * utf8val_encode() - encode a code point
 * @cp: the code point
 * @out: room for four bytes, of which only those returned are written
 *
 * The bytes are the shortest form, which is the only one that RFC 3629, section
 * 3, allows.
 *
 * Return: how many bytes @cp takes, 1 to 4; 0, and nothing is written, when @cp
 * is no Unicode scalar value (D800..DFFF, above 10FFFF).
 */
UTF8VAL_API UTF8VAL_RESULT
size_t utf8val_encode(uint32_t cp, uint8_t out[4]);

/*
 * utf8val_count() - number of sequences
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many bytes
 *
 * Return: how often utf8val_next() would be called to pass all bytes: the
 * number of characters when the input is well-formed.
 */
UTF8VAL_API UTF8VAL_RESULT
size_t utf8val_count(const void *buf, size_t len);

/*
 * utf8val_floor() - the last boundary of a sequence up to a position
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many bytes
 * @at: the position; any position past the end counts as the end
 *
 * For cutting text to a limit in bytes without cutting a character: pass the length
 * of the whole text as @len and the limit as @at. To cut to n characters instead,
 * call utf8val_next() n times. The byte at @at decides, so a text that has been cut to
 * @at bytes already (@at == @len) stays as it is.
 * Only that byte and at most three before it are read; none when @at >= @len.
 *
 * Return: the largest boundary <= @at between the sequences that utf8val_next()
 * visits, or an end of the input: 0, or @len when @at is not below it.
 */
UTF8VAL_API UTF8VAL_RESULT
size_t utf8val_floor(const void *buf, size_t len, size_t at);

/*
 * utf8val_trim() - the length without a last character that is cut
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many bytes
 *
 * For text that was cut already, by a field of fixed length or by a short read: the
 * rest of the last character is not known. If you have the whole text, utf8val_floor()
 * finds the place to cut. At most four bytes are read.
 *
 * Return: where the last sequence begins, up to three bytes before @len, when
 * more bytes could complete that sequence (UTF8VAL_TRUNCATED); otherwise @len.
 */
UTF8VAL_API UTF8VAL_RESULT
size_t utf8val_trim(const void *buf, size_t len);

/*
 * utf8val_replaced_size() - the size of the result of utf8val_replace()
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many bytes
 *
 * Return: the length of the whole result in bytes, at most 3 * @len; SIZE_MAX when
 * the length is more than a size_t holds. No NUL is counted.
 */
UTF8VAL_API UTF8VAL_RESULT
size_t utf8val_replaced_size(const void *buf, size_t len);

/*
 * struct utf8val_replaced - the progress of utf8val_replace()
 * @read: how many bytes of the source were replaced or copied: all, or those up to
 *	a boundary
 * @written: how many bytes the result has
 */
struct utf8val_replaced {
	size_t read;
	size_t written;
};

/*
 * utf8val_replace() - copy, with U+FFFD for every ill-formed sequence
 * @dst: where to; may be NULL when @cap is 0; must not overlap @src
 * @cap: room at @dst, in bytes
 * @src: the bytes; may be NULL when @len is 0
 * @len: how many bytes
 *
 * How much room: utf8val_replaced_size(), or 3 * @len, which is always enough. No
 * NUL is added: leave room for one where it is needed.
 *
 * The function stops before the first character that does not fit, and does not
 * change @dst from there on. To continue, call the function again with the bytes of
 * @src that were not read.
 *
 * This is the replacement that the Unicode Standard recommends (section 3.9)
 * and that the WHATWG Encoding Standard's UTF-8 decoder makes. Well-formed text
 * stays as it is, including control characters and a U+FEFF at the start, and
 * different inputs may give the same result. Use it for text that you pass on.
 * Write hostile bytes to a log or a terminal in hexadecimal or escaped.
 *
 * Return: how much was read and written. If read < @len, the result did not fit,
 * and written + 3 is at least @cap.
 */
UTF8VAL_API
struct utf8val_replaced utf8val_replace(void *dst, size_t cap, const void *src,
					size_t len);

/* The state at a boundary between characters, which is the first state. */
#define UTF8VAL_ACCEPT 0x00u
/*
 * The state when the bytes so far begin no well-formed text. No byte leads out
 * of this state.
 */
#define UTF8VAL_REJECT 0xFFu

/*
 * struct utf8val_dfa - a state of the automaton; a stream also has positions
 * @state: UTF8VAL_ACCEPT to start with. Any value but UTF8VAL_ACCEPT and
 *	UTF8VAL_REJECT means the middle of a character: it is a lead byte, C2
 *	to F4, after which the same bytes may follow
 *
 * The automaton is derived from the grammar of RFC 3629, section 4. It accepts or
 * rejects; utf8val_next() and the stream also report the reason. A value that is not a
 * state, for example in memory that was never set, counts as UTF8VAL_REJECT.
 */
struct utf8val_dfa {
	uint32_t state;
};

/*
 * utf8val_step() - take one byte
 * @dfa: the state; the new state afterwards
 * @cp: the code point as far as its bits are known; its value before does not
 *	matter when the state is UTF8VAL_ACCEPT. The code point is whole when
 *	the new state is UTF8VAL_ACCEPT, and means nothing when the new state
 *	is UTF8VAL_REJECT
 * @byte: the byte
 *
 * To continue after UTF8VAL_REJECT, set the state to UTF8VAL_ACCEPT. If the state
 * before was not UTF8VAL_ACCEPT, pass the same byte again, which may be a lead.
 *
 * Return: the new state.
 */
UTF8VAL_API
uint32_t utf8val_step(struct utf8val_dfa *dfa, uint32_t *cp, uint8_t byte);

/*
 * utf8val_feed() - check a chunk; the smallest check over chunks
 * @dfa: as for utf8val_step()
 * @buf: the chunk; may be NULL when @len is 0
 * @len: its length in bytes
 *
 * This check keeps one word of state and nothing else: what was fed is
 * well-formed when the state is UTF8VAL_ACCEPT, ill-formed when it is
 * UTF8VAL_REJECT, and could still be completed otherwise. utf8val_stream_feed()
 * also reports where a stream is ill-formed and why.
 *
 * Return: false when the state is UTF8VAL_REJECT now.
 */
UTF8VAL_API
bool utf8val_feed(struct utf8val_dfa *dfa, const void *buf, size_t len);

/*
 * utf8val_version() - the version that was compiled
 *
 * Return: a constant string, UTF8VAL_VERSION of the header that the library was
 * made with.
 */
UTF8VAL_API UTF8VAL_RESULT
const char *utf8val_version(void);

/*
 * Where the compiler optimises for speed, utf8val_next() decodes ASCII without a
 * call. The function itself remains, for its address and for other languages.
 */
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && \
	!defined(UTF8VAL_PREFIX) && !defined(UTF8VAL_STATIC)
#define UTF8VAL_INLINE
#if defined(__clang__) && __clang_major__ >= 16
#pragma clang unsafe_buffer_usage begin
#endif

UTF8VAL_RESULT
static inline enum utf8val_reason
utf8val_next_inline(const uint8_t **pos, const uint8_t *end, uint32_t *cp)
{
	/* copies, so that the caller's variables can stay in registers */
	const uint8_t *at = *pos;
	enum utf8val_reason reason;
	uint32_t value;

	if (at < end && *at < 0x80u) {
		*cp = *at;
		*pos = at + 1;
		return UTF8VAL_OK;
	}
	reason = utf8val_next(&at, end, &value);
	*cp = value;
	*pos = at;
	return reason;
}

#if defined(__clang__) && __clang_major__ >= 16
#pragma clang unsafe_buffer_usage end
#endif

#define utf8val_next(pos, end, cp) utf8val_next_inline(pos, end, cp)
#endif

#ifdef __cplusplus
}
#endif

#endif /* UTF8VAL_H */
