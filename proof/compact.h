/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Contracts of what the compact engine leaves to its callers. Only the prover
 * reads this.
 */
#ifndef PROOF_COMPACT_H
#define PROOF_COMPACT_H

#include "contracts.h"

/*@ requires \false; // never called: the engine does not tell ASCII apart
    terminates \true; assigns \nothing;
*/
static inline void utf8val_engine_copy_ascii(uint8_t *d, const uint8_t *s,
					     size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result == 0;
*/
static inline size_t utf8val_engine_copy(uint8_t *d, size_t room,
					 const uint8_t *s, size_t len);

/*@ terminates \true; assigns \nothing;
    ensures \result == 0;
*/
static inline size_t utf8val_engine_skip(const uint8_t *s, size_t len);

#endif /* PROOF_COMPACT_H */
