/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What functions of the security module's options.c promise: where an option of
 * mount(2)'s string ends, what a value says, and that it is noted.
 */
#pragma once

#include "../../kernel/lsm/lsm.h"

/* Any string, and its length: what is proved is proved for whatever these are. */
extern char *const given;
extern const size_t given_len;

/*@ predicate is_string{L}(integer from) =
      \valid(given + (0 .. given_len)) && given[given_len] == 0 &&
      \forall integer k; from <= k < given_len ==> given[k] != 0;
    // a pointer into it
    predicate inside{L}(char *p) =
      p == given + (p - given) && 0 <= p - given <= given_len;

    // 1 when a quotation that begins in s[a..b) has no end there
    logic integer quoted{L}(char *s, integer a, integer b) =
      b <= a ? 0 : s[b-1] == '"' ? 1 - quoted(s, a, b - 1) : quoted(s, a, b - 1);

    // The option that begins at a ends at a comma outside quotation marks, or with
    // the string: the first such place from k on.
    logic integer end{L}(char *s, integer n, integer a, integer k) =
      k >= n ? n : s[k] == ',' && quoted(s, a, k) == 0 ? k : end(s, n, a, k + 1);

    // the mode that s[a..b) names: off, audit or enforce
    logic integer mode_of{L}(char *s, integer a, integer b) =
      b == a + 3 && s[a] == 'o' && s[a+1] == 'f' && s[a+2] == 'f'
        ? UTF8VAL_MODE_OFF :
      b == a + 5 && s[a] == 'a' && s[a+1] == 'u' && s[a+2] == 'd' &&
        s[a+3] == 'i' && s[a+4] == 't' ? UTF8VAL_MODE_AUDIT :
      b == a + 7 && s[a] == 'e' && s[a+1] == 'n' && s[a+2] == 'f' &&
        s[a+3] == 'o' && s[a+4] == 'r' && s[a+5] == 'c' && s[a+6] == 'e'
        ? UTF8VAL_MODE_ENFORCE : -EINVAL;

    logic integer ends{L}(char *s, integer n, integer a) = end(s, n, a, a);

    // s[a..b) is ours, and its value is s[value(s,a,b) .. value_end(s,a,b)), without
    // quotation marks around it
    logic boolean ours{L}(char *s, integer a, integer b) = b >= a + 7 &&
      s[a] == 'u' && s[a+1] == 't' && s[a+2] == 'f' && s[a+3] == '8' &&
      s[a+4] == 'v' && s[a+5] == 'a' && s[a+6] == 'l' && (b == a + 7 || s[a+7] == '=');
    logic boolean marks{L}(char *s, integer a, integer b) =
      b >= a + 10 && s[a+8] == '"' && s[b-1] == '"';
    logic integer value{L}(char *s, integer a, integer b) =
      b == a + 7 ? b : marks(s, a, b) ? a + 9 : a + 8;
    logic integer value_end{L}(char *s, integer a, integer b) =
      marks(s, a, b) ? b - 1 : b;
    logic integer says{L}(char *s, integer a, integer b) =
      mode_of(s, value(s, a, b), value_end(s, a, b));

    // What is left of the options from a on, when t bytes are left of those before:
    // all but ours, a comma before each that does not come first. How many bytes in
    // the end, and the one at j, t <= j.
    logic integer grown(integer t) = t > 0 ? t + 1 : t;
    logic integer left_size{L}(char *s, integer n, integer a, integer t) =
      a > n ? t : left_size(s, n, ends(s, n, a) + 1,
        ours(s, a, ends(s, n, a)) ? t : grown(t) + ends(s, n, a) - a);
    logic integer left_byte{L}(char *s, integer n, integer a, integer t, integer j) =
      a > n ? 0 :
      ours(s, a, ends(s, n, a)) ? left_byte(s, n, ends(s, n, a) + 1, t, j) :
      t > 0 && j == t ? ',' :
      j < grown(t) + ends(s, n, a) - a ? s[a + (j - grown(t))] :
      left_byte(s, n, ends(s, n, a) + 1, grown(t) + ends(s, n, a) - a, j);
    // the mode that all of ours from a on say, if those before say m; -EINVAL if one
    // names none, or two are not the same
    logic integer all_say{L}(char *s, integer n, integer a, integer m) =
      a > n ? m :
      !ours(s, a, ends(s, n, a)) ? all_say(s, n, ends(s, n, a) + 1, m) :
      says(s, a, ends(s, n, a)) <= 0 ||
        (m != 0 && m != says(s, a, ends(s, n, a))) ? -EINVAL :
      all_say(s, n, ends(s, n, a) + 1, says(s, a, ends(s, n, a)));

    // s[a..n] holds the same in both states
    predicate same{S,T}(char *s, integer a, integer n) =
      \forall integer i; a <= i <= n ==> \at(s[i], S) == \at(s[i], T);

    // what fs_context.security points to, and what it says
    predicate is_opts{L}(void *opts) =
      opts == \null || (\valid_read((struct utf8val_mnt_opts *)opts) &&
        UTF8VAL_MODE_OFF <= ((struct utf8val_mnt_opts *)opts)->mode
          <= UTF8VAL_MODE_ENFORCE);
    logic integer opts_mode{L}(void *opts) =
      opts == \null || ((struct utf8val_mnt_opts *)opts)->inherited ? 0 :
      ((struct utf8val_mnt_opts *)opts)->mode; */

/*@ requires UTF8VAL_MODE_OFF <= mode <= UTF8VAL_MODE_ENFORCE;
    terminates \true; assigns \nothing;
    ensures \result != \null && is_opts(\result);
    ensures ((struct utf8val_mnt_opts *)\result)->mode == mode;
    ensures ((struct utf8val_mnt_opts *)\result)->inherited == inherited; */
static void *opts_pointer(bool inherited, enum utf8val_mode mode);

/*@ requires \valid_read(value + (0 .. len - 1)); terminates \true; assigns \nothing;
    ensures \result == mode_of(value, 0, len); */
int utf8val_parse_mode(const char *value, size_t len);

/*@ requires \valid_read(value + (0 .. len - 1));
    requires \valid(mnt_opts) && \valid(why) && is_opts(*mnt_opts);
    requires \separated(mnt_opts, why); terminates \true; assigns *mnt_opts, *why;
    behavior good:
      assumes mode_of(value, 0, len) > 0 && (opts_mode(*mnt_opts) == 0 ||
        opts_mode(*mnt_opts) == mode_of(value, 0, len));
      ensures \result == 0 && is_opts(*mnt_opts);
      ensures opts_mode(*mnt_opts) == \old(mode_of(value, 0, len));
    behavior bad:
      assumes mode_of(value, 0, len) <= 0 || (opts_mode(*mnt_opts) != 0 &&
        opts_mode(*mnt_opts) != mode_of(value, 0, len));
      ensures \result == -EINVAL && *mnt_opts == \old(*mnt_opts);
      ensures \valid_read(*why); // a message
    complete behaviors; disjoint behaviors; */
static int add_option(void **mnt_opts, const char *value, size_t len,
		      const char **why);

/*@ requires inside((char *)option) && is_string(option - given);
    terminates \true; assigns \nothing;
    ensures (option - given) + \result <= given_len;
    ensures (option - given) + \result ==
      end(given, given_len, option - given, option - given); */
static size_t option_len(const char *option);

/*@ requires inside((char *)option) && (option - given) + len <= given_len;
    requires \valid_read(given + (0 .. given_len)); terminates \true; assigns \nothing;
    ensures \result == true <==>
      ours(given, option - given, (option - given) + len) == \true; */
static bool is_ours(const char *option, size_t len);

/*@ requires inside((char *)option) && (option - given) + len <= given_len;
    requires \valid_read(given + (0 .. given_len));
    requires ours(given, option - given, (option - given) + len) == \true;
    requires \valid(mnt_opts) && \valid(why) && is_opts(*mnt_opts);
    requires \separated(mnt_opts, why); terminates \true; assigns *mnt_opts, *why;
    behavior good:
      assumes says(given, option - given, (option - given) + len) > 0 &&
	(opts_mode(*mnt_opts) == 0 || opts_mode(*mnt_opts) ==
	 says(given, option - given, (option - given) + len));
      ensures \result == 0 && is_opts(*mnt_opts);
      ensures opts_mode(*mnt_opts) ==
	\old(says(given, option - given, (option - given) + len));
    behavior bad:
      assumes says(given, option - given, (option - given) + len) <= 0 ||
	(opts_mode(*mnt_opts) != 0 && opts_mode(*mnt_opts) !=
	 says(given, option - given, (option - given) + len));
      ensures \result == -EINVAL && *mnt_opts == \old(*mnt_opts);
      ensures \valid_read(*why); // a message
    complete behaviors; disjoint behaviors; */
static int add_ours(void **mnt_opts, const char *option, size_t len,
		    const char **why);

/*@ requires options == given && inside(to) && inside((char *)from);
    requires from == given ? to == given : to - given < from - given;
    requires (from - given) + len <= given_len && \valid(given + (0 .. given_len));
    terminates \true; assigns given[to - given .. (from - given) + len - 1];
    ensures \result == given + (grown(to - given) + len);
    ensures to - given > 0 ==> given[to - given] == ',';
    ensures \forall integer j; grown(to - given) <= j < grown(to - given) + len ==>
      given[j] == \old(given[(from - given) + (j - grown(to - given))]); */
static char *keep(char *options, char *to, const char *from, size_t len);

/*@ requires options == given && is_string(0);
    requires \valid(mnt_opts) && is_opts(*mnt_opts);
    requires \separated(mnt_opts, given + (0 .. given_len));
    terminates \true; assigns *mnt_opts, given[0 .. given_len];
    ensures given[given_len] == 0;
    ensures \result == 0 || (\result == -EINVAL && *mnt_opts == \null);
    ensures \result == 0 ==> opts_mode(*mnt_opts) ==
      \old(all_say(given, given_len, 0, opts_mode(*mnt_opts)));
    ensures \result != 0 ==>
      \old(all_say(given, given_len, 0, opts_mode(*mnt_opts))) == -EINVAL;
    ensures \result == 0 ==> left_size{Pre}(given, given_len, 0, 0) <= given_len &&
      given[left_size{Pre}(given, given_len, 0, 0)] == 0;
    ensures \result == 0 ==>
      \forall integer j; 0 <= j < left_size{Pre}(given, given_len, 0, 0) ==>
	given[j] == left_byte{Pre}(given, given_len, 0, 0, j) && given[j] != 0; */
int utf8val_sb_eat_lsm_opts(char *options, void **mnt_opts);
