import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { nodeIdShort, validatorListHashShort } from '../../tlb/config/validator-hash.ts'
import type { ValidatorDescr } from '../../tlb/config/validator-set.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { SignatureSet } from '../liteserver.ts'

/* The single validator of the embedded chain: its key, its entry in ConfigParam 34, the hash of its set, its signatures. */

export interface Validator {
  readonly descr: ValidatorDescr
  /** gen_validator_list_hash_short of the set in the session `catchainSeqno`. McStateExtra's validator_info uses session 0. */
  setHash(catchainSeqno: number): number
  /** Signs `ton.blockId root_cell_hash file_hash`. */
  sign(block: BlockId, catchainSeqno: number): SignatureSet
}

/** RFC 8410 prefix that turns a raw ed25519 seed into a PKCS #8 key for node:crypto. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
/** ton.blockId#c50b6e70 root_cell_hash:int256 file_hash:int256 = ton.BlockId, little-endian constructor. */
const TON_BLOCK_ID = Buffer.from('706e0bc5', 'hex')
/** Same order of magnitude as the total weight of mainnet's validators. */
const WEIGHT = 1n << 60n

export const keyOfSeed = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })

export const publicKeyOf = (seed: Uint8Array): Uint8Array =>
  new Uint8Array(createPublicKey(keyOfSeed(seed)).export({ format: 'der', type: 'spki' }).subarray(-32))

export const createValidator = (seed: Uint8Array): Validator => {
  const key = keyOfSeed(seed)
  const publicKey = publicKeyOf(seed)
  const name = new Uint8Array(nodeIdShort(publicKey))
  const descr: ValidatorDescr = { publicKey, weight: WEIGHT, adnlAddr: name }
  const setHash = (catchainSeqno: number): number => validatorListHashShort(catchainSeqno, [descr])
  return {
    descr,
    setHash,
    sign: (block, catchainSeqno) => ({
      type: 'ordinary',
      validatorSetHash: setHash(catchainSeqno),
      catchainSeqno,
      signatures: [
        { nodeIdShort: name, signature: new Uint8Array(sign(null, Buffer.concat([TON_BLOCK_ID, block.rootHash, block.fileHash]), key)) },
      ],
    }),
  }
}
