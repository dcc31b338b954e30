import { TonError } from '../../../shared/errors.ts'
import type { Result } from '../../../shared/registry.ts'
import { byteText } from '../../base/memory/byte-text.ts'
import { serializeBoc } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import type { AccountProof } from '../../chain/chain-port.ts'
import type { BlockLink, PartialBlockProof, SignatureSet } from '../../chain/liteserver.ts'
import { keyOf } from '../../store/queries/conditions.ts'
import { rawOfKey } from '../../store/row-keys.ts'
import { type AccountId, type BlockId, shardToWire } from '../../tlb/ids.ts'
import { shardHex } from '../shapes/values.ts'

export type WireProof = NonNullable<Result<'v3.transactions'>['proof']>
export type WireBlock = WireProof['blocks'][number]
type WireLink = Result<'v3.blockProof'>['steps'][number]

const MAX_BYTES = 16 << 20

/** Writes bytes as base64. Throws if the proofs of the answer exceed MAX_BYTES. */
export type Encode = (bytes: Uint8Array) => string

export const createEncode = (): Encode => {
  let left = MAX_BYTES
  return (bytes) => {
    left -= bytes.length
    if (left < 0) throw new TonError('CHAIN', `the proofs have more than ${MAX_BYTES} bytes: ask for fewer rows`)
    return byteText(bytes, 'base64')
  }
}

export const bocOf = (root: Cell): Uint8Array => serializeBoc(root, { crc32c: false })

export const blockIdExt = ({ workchain, shard, seqno, rootHash, fileHash }: BlockId): WireProof['masterchain'] => ({
  workchain,
  shard: shardHex(shardToWire(shard)),
  seqno,
  root_hash: byteText(rootHash, 'base64'),
  file_hash: byteText(fileHash, 'base64'),
})

const writeSignatures = (set: SignatureSet, encode: Encode): NonNullable<WireLink['signatures']> => ({
  type: set.type,
  validator_set_hash: set.validatorSetHash >>> 0,
  catchain_seqno: set.catchainSeqno,
  signatures: set.signatures.map(({ nodeIdShort, signature }) => ({ node_id_short: encode(nodeIdShort), signature: encode(signature) })),
  ...(set.type === 'simplex' && { session_id: encode(set.sessionId), slot: set.slot, candidate: encode(set.candidate) }),
})

export const writeLink = (link: BlockLink, encode: Encode): WireLink => ({
  type: link.type,
  to_key_block: link.toKeyBlock,
  from: blockIdExt(link.from),
  to: blockIdExt(link.to),
  dest_proof: encode(link.destProof),
  ...(link.type === 'forward'
    ? { config_proof: encode(link.configProof), signatures: writeSignatures(link.signatures, encode) }
    : { proof: encode(link.proof), state_proof: encode(link.stateProof) }),
})

export const writeBlockProof = ({ complete, from, to, steps }: PartialBlockProof): Result<'v3.blockProof'> => {
  const encode = createEncode()
  return { complete, from: blockIdExt(from), to: blockIdExt(to), steps: steps.map((link) => writeLink(link, encode)) }
}

export const writeAccount = (
  id: AccountId,
  { shardBlock, shardProof, proof, state }: AccountProof,
  encode: Encode,
): WireProof['accounts'][number] => ({
  account: rawOfKey(keyOf(id)),
  shard_block: shardBlock ? blockIdExt(shardBlock) : null,
  shard_proof: encode(shardProof),
  proof: encode(proof),
  state: encode(state),
})
