import { sign } from 'node:crypto'
import { nodeIdShort, validatorListHashShort } from '../../tlb/config/validator-hash.ts'
import type { ValidatorDescr } from '../../tlb/config/validator-set.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { keyFromSeed, privateKey } from '../adnl/keys.ts'
import type { SignatureSet } from '../liteserver.ts'
import { blockToSign } from '../proofs/signatures.ts'

/* The single validator of the embedded chain: its key, its entry in ConfigParam 34, the hash of its set, its signatures. */

/** Same order of magnitude as the total weight of mainnet's validators. */
const WEIGHT = 1n << 60n

export const createValidator = (seed: Uint8Array) => {
  const key = privateKey('ed25519', seed)
  const publicKey = new Uint8Array(keyFromSeed(seed).publicKey)
  const name = new Uint8Array(nodeIdShort(publicKey))
  const descr: ValidatorDescr = { publicKey, weight: WEIGHT, adnlAddr: name }
  /** gen_validator_list_hash_short of the set in the session `catchainSeqno`. McStateExtra's validator_info uses session 0. */
  const setHash = (catchainSeqno: number): number => validatorListHashShort(catchainSeqno, [descr])
  return {
    descr,
    setHash,
    sign: (block: BlockId, catchainSeqno: number): SignatureSet => ({
      type: 'ordinary',
      validatorSetHash: setHash(catchainSeqno),
      catchainSeqno,
      signatures: [{ nodeIdShort: name, signature: new Uint8Array(sign(null, blockToSign(block), key)) }],
    }),
  }
}
export type Validator = ReturnType<typeof createValidator>
