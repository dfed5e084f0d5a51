(* SPDX-License-Identifier: GPL-2.0-only OR MIT *)
(*
 * What Frama-C 25's WP simplifies wrongly, put right (its src/plugins/wp/Cint.ml).
 *
 * smp_leq_with_lsr makes a <= 0 of a >> n <= 0, so that x >> 11 > 0 is the same as
 * x > 0 to WP, as are >= 1 and < 1, and a variable of that value. And for a below 0 it
 * makes x <= a / 2^n of x <= a >> n, though / rounds towards 0 and >> does not. Here
 * stand the rules that hold for all integers, from a >> n being the largest integer
 * that, times 2^n, is not above a.
 *
 * smp_cmp_with_lsl makes n == m of a << n == a << m, and the like of <=, which is wrong
 * of 0. Left shifts are compared by provers.
 *)
open Wp
module F = Lang.F

(* of a >> n: a, and 2^n *)
let parts term =
  match F.repr term with
  | Qed.Logic.Fun (f, [a; n]) when Lang.Fun.equal f Cint.f_lsr ->
    (match F.repr n with
     | Qed.Logic.Kint n when Integer.ge n Integer.zero ->
       a, F.e_zint (Integer.two_power n)
     | _ -> raise Not_found)
  | _ -> raise Not_found

let right_leq x y =
  try
    let a, power = parts y in
    F.e_leq (F.e_mul x power) a
  with Not_found ->
    let a, power = parts x in
    F.e_lt a (F.e_mul (F.e_add y F.e_one) power)

let unknown _ _ = raise Not_found

let () =
  Context.register (fun () ->
      F.QED.set_builtin_leq ~force:true Cint.f_lsr right_leq;
      F.QED.set_builtin_leq ~force:true Cint.f_lsl unknown;
      F.QED.set_builtin_eq ~force:true Cint.f_lsl unknown)
