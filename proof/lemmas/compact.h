/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Contracts of what the compact engine leaves to its callers. Only the prover
 * reads this.
 */
#ifndef PROOF_COMPACT_H
#define PROOF_COMPACT_H

#include "../spec/contracts.h"

/*@ terminates \true; assigns \nothing;
    ensures \result == false;
*/
static inline bool utf8val_engine_ascii(const uint8_t *s, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result == false;
*/
static inline bool utf8val_engine_name(const uint8_t *s, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result == 0;
*/
static inline size_t utf8val_engine_units(const uint8_t *s, size_t len);

/*@ requires \false; // never called: the engine does not tell names apart
    terminates \true; assigns \nothing;
*/
static inline void utf8val_engine_copy_name(uint8_t *d, const uint8_t *s,
					    size_t len);

#endif /* PROOF_COMPACT_H */
