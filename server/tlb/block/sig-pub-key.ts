import type { Builder } from '../../cell/builder.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag, storeHash } from '../common.ts'

/*
 * ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
 */

/** Reads an ed25519 public key, 32 bytes. */
export const loadSigPubKey = (s: Slice): Uint8Array => {
  expectTag(s, 32, 0x8e81278a, 'SigPubKey')
  return s.loadBytes(32)
}
export const storeSigPubKey = (b: Builder, key: Uint8Array): Builder => storeHash(b.storeUint(0x8e81278a, 32), key)
