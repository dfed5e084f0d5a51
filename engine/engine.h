/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The engine, which finds the end of the well-formed prefix. utf8val.c includes this
 * file.
 *
 * To choose an engine at build time, define one of these macros to 1. Without such a
 * macro, the default is the first of these that fits:
 *
 * - the vector engine, where GCC or Clang compile hosted programs for x86-64 or
 *   little-endian arm64, except for Windows;
 * - the fast engine with pointers of 64 bits, for example in kernels;
 * - the compact engine.
 *
 * An engine whose macro is defined to 0 is not chosen.
 *
 *   UTF8VAL_ENGINE_COMPACT   a byte at a time. The least flash, and the most
 *                            time on ASCII; any machine, any byte order, any
 *                            C11 compiler.
 *   UTF8VAL_ENGINE_WORD      aligned words of ASCII, and unaligned loads of one
 *                            character where the compiler may use them
 *                            (Cortex-M3 and up; -mno-unaligned-access forbids).
 *                            Three to four times the compact one's flash; GCC
 *                            or Clang, little-endian only.
 *   UTF8VAL_ENGINE_MVE       vectors of sixteen bytes, for Cortex-M52, M55 and
 *                            M85 where their vector unit (Helium) is in use. A
 *                            third of the word engine's instructions on mixed
 *                            text, and half as much flash again.
 *   UTF8VAL_ENGINE_FAST      words of 64 bits and a table of 1 KiB. The least
 *                            time, and by far the most flash; on 32-bit
 *                            CPUs libgcc, for 64-bit shifts, and for divisions
 *                            if the CPU has none. GCC or Clang.
 *   UTF8VAL_ENGINE_VECTOR    AVX-512, AVX2 or NEON, as the CPU has them,
 *                            otherwise the fast engine. x86-64 or little-endian
 *                            arm64, GCC or Clang, hosted; on x86-64 libgcc or
 *                            compiler-rt detects the CPU.
 *
 * freestanding/README.md has the flash, stack and time of each.
 *
 * If several are chosen, the last of them in this list is built, so that a
 * program can overrule what a package has set.
 *
 * All give the same results; only size and speed differ.
 *
 * An engine calls no function of the library. It is one static inline function,
 *
 *   utf8val_engine_prefix(s, len)        length of the well-formed prefix
 *
 * and, behind these macros, operations that take less time with it than with the
 * prefix alone:
 *
 *   UTF8VAL_ENGINE_VALID                 if defined, there is
 *   utf8val_engine_valid(s, len)         is all of it well-formed?
 *
 *   UTF8VAL_ENGINE_TEXT                  if defined, passing text by the prefix takes
 *                                        much less time than decoding it, and this
 *                                        many bytes stay in the nearest cache from
 *                                        one pass to the next; then there are
 *   utf8val_engine_count(s, len, units)  pass well-formed characters, all or fewer;
 *                                        add their number to *units
 *   utf8val_engine_copy(d, s, len)       copy text or one sequence
 *
 *   UTF8VAL_ENGINE_BYTEWISE              if defined, the prefix takes no less time
 *                                        than the automaton, a byte at a time
 */
#ifndef UTF8VAL_ENGINE_H
#define UTF8VAL_ENGINE_H

/* for the types; an engine calls none of the functions */
#include "../utf8val.h"
#include "loop.h"

#if defined(UTF8VAL_ENGINE_VECTOR) && UTF8VAL_ENGINE_VECTOR
#define UTF8VAL_HAS_VECTOR
#elif defined(UTF8VAL_ENGINE_FAST) && UTF8VAL_ENGINE_FAST
#define UTF8VAL_HAS_FAST
#elif defined(__GNUC__) && (defined(__LP64__) || defined(_WIN64)) && \
	!defined(UTF8VAL_ENGINE_FAST) && \
	!(defined(UTF8VAL_ENGINE_COMPACT) && UTF8VAL_ENGINE_COMPACT) && \
	!(defined(UTF8VAL_ENGINE_MVE) && UTF8VAL_ENGINE_MVE) && \
	!(defined(UTF8VAL_ENGINE_WORD) && UTF8VAL_ENGINE_WORD)
/* before version 8, GCC does not know VBMI2 */
#if !defined(UTF8VAL_ENGINE_VECTOR) && __STDC_HOSTED__ && !defined(_WIN32) && \
	(defined(__clang__) || __GNUC__ >= 8) && \
	(defined(__x86_64__) || (defined(__aarch64__) && \
				 defined(__ARM_NEON) && !defined(__AARCH64EB__)))
#define UTF8VAL_HAS_VECTOR
#else
#define UTF8VAL_HAS_FAST
#endif
#endif

#if defined(UTF8VAL_HAS_VECTOR) || defined(UTF8VAL_HAS_FAST)
#include "fast.h"
#define UTF8VAL_ENGINE_VALID
#define UTF8VAL_ENGINE_TEXT FAST_PART

static inline FAST_INLINE void utf8val_engine_copy(uint8_t *d, const uint8_t *s,
						   size_t len)
{
	fast_copy_any(d, s, len);
}

#ifdef UTF8VAL_HAS_VECTOR
#include "vector.h"
#else
static inline FAST_INLINE bool utf8val_engine_valid(const uint8_t *s,
						    size_t len)
{
	return fast_valid(s, len);
}

static inline FAST_INLINE size_t utf8val_engine_prefix(const uint8_t *s,
						       size_t len)
{
	return fast_prefix(s, len);
}

static inline FAST_INLINE size_t utf8val_engine_count(const uint8_t *s,
						      size_t len, size_t *units)
{
	return fast_count(s, len, units);
}
#endif
#else
#include "compact.h"

/* at -Os GCC would not always inline: 8 bytes more on Cortex-M0 */
#ifdef __GNUC__
#define UTF8VAL_ENGINE_INLINE __attribute__((__always_inline__))
#else
#define UTF8VAL_ENGINE_INLINE
#endif

#if defined(UTF8VAL_ENGINE_MVE) && UTF8VAL_ENGINE_MVE
#include "mve.h"
#else
#if defined(UTF8VAL_ENGINE_WORD) && UTF8VAL_ENGINE_WORD
#include "word.h"
#else
#define UTF8VAL_ENGINE_BYTEWISE

static inline UTF8VAL_ENGINE_INLINE size_t
utf8val_engine_prefix(const uint8_t *s, size_t len)
{
	return utf8val_compact_walk(s, len, 0);
}
#endif
#endif
#endif

#endif /* UTF8VAL_ENGINE_H */
