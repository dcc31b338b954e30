import { type Builder, beginCell } from '../../../server/cell/builder.ts'
import { type Cell, CellError } from '../../../server/cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../../server/cell/dict.ts'
import type { Slice } from '../../../server/cell/slice.ts'
import { loadShardIdent, storeShardIdent } from '../../../server/tlb/block/shard-ident.ts'
import { badTag, expectTag, storeHash } from '../../../server/tlb/common.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'

/* The proof and signatures of a block in the form that a node stores. The service gets both in TL form; recorded ones in the tests have this form. */

/*
 * ed25519_signature#5 R:bits256 s:bits256 = CryptoSignatureSimple;
 * certificate#4 temp_key:SigPubKey valid_since:uint32 valid_until:uint32 = Certificate;
 * signed_certificate$_ certificate:Certificate certificate_signature:CryptoSignature = SignedCertificate;
 * chained_signature#f signed_cert:^SignedCertificate temp_key_signature:CryptoSignatureSimple = CryptoSignature;
 * sig_pair$_ node_id_short:bits256 sign:CryptoSignature = CryptoSignaturePair;
 */

/** A signature. A chained one is made with a temporary key, and has a certificate (kept as a cell) for that key. */
export interface CryptoSignature {
  /** R and s, 64 bytes. */
  readonly signature: Uint8Array
  /** SignedCertificate of a chained signature. */
  readonly certificate?: Cell | undefined
}

export interface CryptoSignaturePair extends CryptoSignature {
  /** sha256 of the TL-serialized public key, 32 bytes. */
  readonly nodeIdShort: Uint8Array
}

const loadSimple = (s: Slice): Uint8Array => {
  expectTag(s, 4, 5, 'CryptoSignatureSimple')
  return s.loadBytes(64)
}
const storeSimple = (b: Builder, signature: Uint8Array): Builder => {
  if (signature.length !== 64) throw new CellError('range', `an ed25519 signature has 64 bytes, not ${signature.length}`)
  return b.storeUint(5, 4).storeBytes(signature)
}

const loadCryptoSignature = (s: Slice): CryptoSignature => {
  const tag = s.preloadUint(4)
  if (tag === 5) return { signature: loadSimple(s) }
  if (tag !== 0xf) throw badTag('CryptoSignature', tag)
  s.skip(4)
  return { certificate: s.loadRef(), signature: loadSimple(s) }
}

const storeCryptoSignature = (b: Builder, sign: CryptoSignature): Builder =>
  storeSimple(sign.certificate === undefined ? b : b.storeUint(0xf, 4).storeRef(sign.certificate), sign.signature)

/** HashmapE 16 CryptoSignaturePair: keys are positions 0, 1, 2, ... */
export const loadSignatures = (root: Cell | undefined): CryptoSignaturePair[] =>
  [...dictEntries(root, 16, { cells: 1e9 })].map(([, s]) => ({ nodeIdShort: s.loadBytes(32), ...loadCryptoSignature(s) }))

export const storeSignatures = (signatures: readonly CryptoSignaturePair[]): Cell | undefined =>
  dictFromEntries(
    16,
    signatures.map((pair, i) => [BigInt(i), storeCryptoSignature(storeHash(beginCell(), pair.nodeIdShort), pair)] as const),
  )

/*
 * block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt;
 */

const loadBlockIdExt = (s: Slice): BlockId => ({
  ...loadShardIdent(s),
  seqno: s.loadUint(32),
  rootHash: s.loadBytes(32),
  fileHash: s.loadBytes(32),
})

const storeBlockIdExt = (b: Builder, id: BlockId): Builder =>
  storeHash(storeHash(storeShardIdent(b, id).storeUint(id.seqno, 32), id.rootHash), id.fileHash)

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
  /** Present in block_signatures_simplex#12. */
  readonly simplex?: { readonly sessionId: Uint8Array; readonly slot: number; readonly candidateData: Cell } | undefined
}

/** The proof of a block that a node stores: a Merkle proof of its header and, for the masterchain, the signatures. */
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
