/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Lemmas about the options of mount(2)'s string: what is the same from a on ends at
 * the same place, and says the same.
 */
#pragma once

#include "../spec/mount.h"

/*@ lemma quoted_same{S,T}: \forall char *s, integer a, b, n; a <= b <= n ==>
      same{S,T}(s, a, n) ==> quoted{S}(s, a, b) == quoted{T}(s, a, b);
    lemma end_same{S,T}: \forall char *s, integer a, k, n; a <= k <= n ==>
      same{S,T}(s, a, n) ==> end{S}(s, n, a, k) == end{T}(s, n, a, k);
    lemma ends_same{S,T}: \forall char *s, integer a, n; a <= n ==>
      same{S,T}(s, a, n) ==> ends{S}(s, n, a) == ends{T}(s, n, a);
    lemma ours_same{S,T}: \forall char *s, integer a, b, n; a <= b <= n ==>
      same{S,T}(s, a, n) ==> ours{S}(s, a, b) == ours{T}(s, a, b);
    lemma says_same{S,T}: \forall char *s, integer a, b, n; a <= b <= n ==>
      same{S,T}(s, a, n) ==> says{S}(s, a, b) == says{T}(s, a, b); */
