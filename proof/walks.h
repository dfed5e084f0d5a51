/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Contracts of the fast engine on long input: both walks and what takes turns
 * with them. The lemmas are the argument at the head of utf8val_fast.h.
 */
#ifndef PROOF_WALKS_H
#define PROOF_WALKS_H

#include "fast.h"

/*@ // s[0 .. p-1] ends with so many bytes of a character that has more
    logic integer open_bytes{L}(uint8_t *s, integer p) =
      (p < 1 || s[p-1] < 0xC0 ? 0 : 1) + (p < 2 || s[p-2] < 0xE0 ? 0 : 2) +
      (p < 3 || s[p-3] < 0xF0 ? 0 : 3);
    lemma ends_long{L}: \forall uint8_t *s, integer v, w, p; 8 <= p ==>
      holds(w, s + (p - 8), 8) ==> raised(v, w, 0) ==> ends(v, s, p);
    lemma ends_short{L}: \forall uint8_t *s, integer v, w, p; 0 <= p < 8 ==>
      holds(w, s + 0, 8) ==> raised(v, w, 8 - p) ==> ends(v, s, p);
    lemma ends_any{L}: \forall uint8_t *s, integer v, w, p; 0 <= p ==>
      holds(w, s + excess(p, 8), 8) ==> raised(v, w, excess(8, p)) ==>
      ends(v, s, p);
    lemma unfinished_open{L}: \forall uint8_t *s, integer w, p; 0 <= p ==>
      ends(w, s, p) ==> unfinished(w) == open_bytes(s, p);
    // not rejected: the beginning of well-formed text
    predicate passes{L}(uint8_t *s, integer p) =
      run(s, 0, p, UTF8VAL_ACCEPT) != UTF8VAL_REJECT;
    lemma passes_less{L}: \forall uint8_t *s, integer m, p;
      0 <= m <= p ==> passes(s, p) ==> passes(s, m);
    lemma open_bytes_few{L}: \forall uint8_t *s, integer p; 0 <= p ==>
      passes(s, p) ==> 0 <= open_bytes(s, p) <= 3 && open_bytes(s, p) <= p;
    lemma open_boundary{L}: \forall uint8_t *s, integer p; 0 <= p ==>
      passes(s, p) ==> run(s, 0, p - open_bytes(s, p), UTF8VAL_ACCEPT) ==
	UTF8VAL_ACCEPT;
    lemma open_bytes_not{L}: \forall uint8_t *s, integer p; 0 <= p ==>
      passes(s, p) ==>
      (0 < open_bytes(s, p) ==> run(s, 0, p, UTF8VAL_ACCEPT) != UTF8VAL_ACCEPT) &&
      (1 < open_bytes(s, p) ==>
        run(s, 0, p - 1, UTF8VAL_ACCEPT) != UTF8VAL_ACCEPT) &&
      (2 < open_bytes(s, p) ==>
        run(s, 0, p - 2, UTF8VAL_ACCEPT) != UTF8VAL_ACCEPT);
    lemma open_no_boundary{L}: \forall uint8_t *s, integer p, m; 0 <= p ==>
      passes(s, p) ==> p - open_bytes(s, p) < m <= p ==>
      run(s, 0, m, UTF8VAL_ACCEPT) != UTF8VAL_ACCEPT;
*/

/*@ requires is_size(passed) && passes(s, passed);
    requires \valid_read(s + (0 .. passed - 1)) && \valid_read(s + (0 .. 7));
    terminates \true; assigns \nothing;
    ensures \result == passed - open_bytes(s, passed);
    ensures \result <= passed <= \result + 3 && utf8(s, 0, \result);
    ensures \forall integer m; \result < m <= passed ==> !utf8(s, 0, m);
*/
static inline size_t fast_boundary(const uint8_t *s, size_t passed);

/*@ requires 3 <= at && is_size(at);
    requires \valid_read(s + (0 .. at));
    terminates \true; assigns \nothing;
    ensures at - 3 <= \result <= at;
*/
static inline size_t fast_cut(const uint8_t *s, size_t at);

#endif /* PROOF_WALKS_H */
