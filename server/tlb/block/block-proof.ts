import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { badTag, expectTag } from '../common.ts'
import type { BlockId } from '../ids.ts'
import { loadBlockIdExt, storeBlockIdExt } from './block-id-ext.ts'
import { type CryptoSignaturePair, loadSignatures, storeSignatures } from './crypto-signature.ts'

/*
 * block_signatures_ordinary#11 validator_list_hash_short:uint32 catchain_seqno:uint32 sig_count:uint32 sig_weight:uint64
 *   signatures:(HashmapE 16 CryptoSignaturePair) = BlockSignatures;
 * (before 2026 the same bits were block_signatures#11 validator_info:ValidatorBaseInfo pure_signatures:BlockSignaturesPure)
 * block_signatures_simplex#12 validator_list_hash_short:uint32 catchain_seqno:uint32 sig_count:uint32 sig_weight:uint64
 *   signatures:(HashmapE 16 CryptoSignaturePair) session_id:bits256 slot:uint32 candidate_data:^Cell = BlockSignatures;
 * block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof;
 */

export interface BlockSignatures {
  readonly validatorListHashShort: number
  readonly catchainSeqno: number
  readonly sigCount: number
  readonly sigWeight: bigint
  readonly signatures: readonly CryptoSignaturePair[]
  /** Given in block_signatures_simplex#12. */
  readonly simplex?: { readonly sessionId: Uint8Array; readonly slot: number; readonly candidateData: Cell } | undefined
}

/** What a node keeps to prove a block: a Merkle proof of its header and, for the masterchain, the signatures. */
export interface BlockProof {
  readonly proofFor: BlockId
  /** Merkle proof of the block. */
  readonly root: Cell
  /** BlockSignatures; absent in a proof link. */
  readonly signatures?: Cell | undefined
}

export const loadBlockSignatures = (cell: Cell): BlockSignatures => {
  const s = cell.slice()
  const tag = s.loadUint(8)
  if (tag !== 0x11 && tag !== 0x12) throw badTag('BlockSignatures', `0x${tag.toString(16)}`)
  const head = {
    validatorListHashShort: s.loadUint(32),
    catchainSeqno: s.loadUint(32),
    sigCount: s.loadUint(32),
    sigWeight: s.loadUintBig(64),
    signatures: loadSignatures(s.loadMaybeRef()),
  }
  const simplex = tag === 0x12 ? { sessionId: s.loadBytes(32), slot: s.loadUint(32), candidateData: s.loadRef() } : undefined
  s.end()
  return { ...head, simplex }
}

export const storeBlockSignatures = (signatures: BlockSignatures): Cell => {
  const { simplex } = signatures
  const b = beginCell()
    .storeUint(simplex === undefined ? 0x11 : 0x12, 8)
    .storeUint(signatures.validatorListHashShort, 32)
  b.storeUint(signatures.catchainSeqno, 32).storeUint(signatures.sigCount, 32).storeUint(signatures.sigWeight, 64)
  b.storeMaybeRef(storeSignatures(signatures.signatures))
  if (simplex !== undefined) b.storeBytes(simplex.sessionId).storeUint(simplex.slot, 32).storeRef(simplex.candidateData)
  return b.end()
}

export const loadBlockProof = (cell: Cell): BlockProof => {
  const s = cell.slice()
  expectTag(s, 8, 0xc3, 'BlockProof')
  const proof = { proofFor: loadBlockIdExt(s), root: s.loadRef(), signatures: s.loadMaybeRef() }
  s.end()
  return proof
}

export const storeBlockProof = (proof: BlockProof): Cell =>
  storeBlockIdExt(beginCell().storeUint(0xc3, 8), proof.proofFor).storeRef(proof.root).storeMaybeRef(proof.signatures).end()
