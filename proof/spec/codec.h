/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Code points and their bits: what utf8val_step() and utf8val_encode() are about. */
#pragma once

#include "grammar.h"

/*@
  // the bits of a code point that its first byte carries
  logic integer lead_bits(integer a) =
    a < 0x80 ? a : a < 0xE0 ? a - 0xC0 : a < 0xF0 ? a - 0xE0 : a - 0xF0;

  // bytes that a code point takes, 0 when it has no encoding
  logic integer encoded_size(integer cp) =
    cp < 0x80 ? 1 : cp < 0x800 ? 2 :
    0xD800 <= cp <= 0xDFFF ? 0 : cp < 0x10000 ? 3 : cp <= 0x10FFFF ? 4 : 0;
  lemma size_scalar: \forall integer cp; 0 <= cp ==>
    (encoded_size(cp) == 0 <==> !scalar(cp));

  // utf8val_encode() when the tails that follow out[at] stand there and rest of cp's
  // bits is left
  predicate part{L}(uint8_t *out, integer cp, integer len, integer at, integer rest) =
    rest == (at == len - 1 ? cp : at == len - 2 ? cp / 64 :
             at == len - 3 ? cp / 4096 : cp / 262144) &&
    (at < len - 1 ==> out[len-1] == 0x80 + cp % 64) &&
    (at < len - 2 ==> out[len-2] == 0x80 + cp / 64 % 64) &&
    (at < len - 3 ==> out[len-3] == 0x80 + cp / 4096 % 64);

  lemma first_of_2: \forall integer x; 0 <= x < 32 ==> (uint8_t)(0x3C0 | x) == 0xC0 + x;
  lemma first_of_3: \forall integer x; 0 <= x < 16 ==> (uint8_t)(0x1E0 | x) == 0xE0 + x;
  lemma first_of_4: \forall integer x; 0 <= x < 8 ==> (uint8_t)(0xF0 | x) == 0xF0 + x; */
