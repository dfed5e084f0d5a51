/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Two names for the proof, which defines them before it includes the sources; in builds
 * they are nothing. The core, the engines and the guard's name.h use them.
 * UTF8VAL_LOOP() names the contract of a loop, UTF8VAL_FUNCTION() what is known at its
 * place in a function.
 */
#ifndef UTF8VAL_LOOP
#define UTF8VAL_LOOP(name)
#define UTF8VAL_FUNCTION(name)
#endif
