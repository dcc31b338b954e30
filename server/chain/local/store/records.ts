import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../tlb/ids.ts'
import type { SignatureSet } from '../../liteserver.ts'

/* The records of the chain's log (little-endian; offsets of cells in units of 8 bytes). The first record is the genesis. */

export const RECORD = { genesis: 1, step: 2, message: 3, revert: 4, control: 5 } as const

/** Facts about one block, so that reads need not parse the block. */
export interface BlockRow {
  readonly id: BlockId
  readonly utime: number
  readonly endLt: bigint
  /** Place in the log of the root cell of the state after the block. */
  readonly stateAt: number
  /** Offset and length of the block's BoC in the log, bytes. */
  readonly bocAt: number
  readonly bocLength: number
}

/** A pair of blocks, or the genesis (seqno 0), which has zerostates instead of blocks. */
export type StepRow = Readonly<ReturnType<typeof decodeStep>>

/** Input of `encodeStepPrefix`: the row without the offsets, which follow from the layout. */
export interface StepDraft extends Pick<StepRow, 'seqno' | 'keyBlockSeqno' | 'controlAt'> {
  readonly shard: Omit<BlockRow, 'bocAt' | 'bocLength'>
  readonly master: Omit<BlockRow, 'bocAt' | 'bocLength'>
}

/*
 * Layout of a step record:
 *   seqno:uint32 keyBlockSeqno:uint32 controlAt:uint64 signaturesLength:uint32 waitingCount:uint32 shard:Row master:Row
 *   Row: seqno:uint32 utime:uint32 endLt:uint64 rootHash:bits256 fileHash:bits256 stateAt:uint48 bocLength:uint32
 * Then: the shard block, the master block, the signatures, offsets of the waiting messages (uint64 each), the cells (at a multiple of 8).
 */
const ROW_BYTES = 90
const SHARD_AT = 24
const MASTER_AT = SHARD_AT + ROW_BYTES
export const STEP_BYTES = MASTER_AT + ROW_BYTES

const writeRow = (target: Buffer, at: number, row: StepDraft['shard'], bocLength: number): void => {
  target.writeUInt32LE(row.id.seqno, at)
  target.writeUInt32LE(row.utime, at + 4)
  target.writeBigUInt64LE(row.endLt, at + 8)
  target.set(row.id.rootHash, at + 16)
  target.set(row.id.fileHash, at + 48)
  target.writeUIntLE(row.stateAt, at + 80, 6)
  target.writeUInt32LE(bocLength, at + 86)
}

const readRow = (source: Buffer, at: number, workchain: number, bocAt: number): BlockRow => ({
  id: {
    workchain,
    shard: WHOLE_SHARD,
    seqno: source.readUInt32LE(at),
    rootHash: new Uint8Array(source.subarray(at + 16, at + 48)),
    fileHash: new Uint8Array(source.subarray(at + 48, at + 80)),
  },
  utime: source.readUInt32LE(at + 4),
  endLt: source.readBigUInt64LE(at + 8),
  stateAt: source.readUIntLE(at + 80, 6),
  bocAt,
  bocLength: source.readUInt32LE(at + 86),
})

export interface StepParts {
  readonly shardBoc: Uint8Array
  readonly masterBoc: Uint8Array
  readonly signatures: Uint8Array
  readonly waiting: readonly number[]
}

export const stepPrefixBytes = ({ shardBoc, masterBoc, signatures, waiting }: StepParts): number =>
  (STEP_BYTES + shardBoc.length + masterBoc.length + signatures.length + 8 * waiting.length + 7) & ~7

/** The body of a step record before its cells. */
export const encodeStepPrefix = (draft: StepDraft, parts: StepParts): Buffer => {
  const { shardBoc, masterBoc, signatures, waiting } = parts
  const body = Buffer.alloc(stepPrefixBytes(parts))
  body.writeUInt32LE(draft.seqno, 0)
  body.writeUInt32LE(draft.keyBlockSeqno, 4)
  body.writeBigUInt64LE(BigInt(draft.controlAt), 8)
  body.writeUInt32LE(signatures.length, 16)
  body.writeUInt32LE(waiting.length, 20)
  writeRow(body, SHARD_AT, draft.shard, shardBoc.length)
  writeRow(body, MASTER_AT, draft.master, masterBoc.length)
  let at = STEP_BYTES
  for (const part of [shardBoc, masterBoc, signatures]) {
    body.set(part, at)
    at += part.length
  }
  for (const message of waiting) at = body.writeBigUInt64LE(BigInt(message), at)
  return body
}

/** Reads the row from the first STEP_BYTES of a body at log offset `bodyAt`. */
export const decodeStep = (head: Buffer, bodyAt: number) => {
  const shard = readRow(head, SHARD_AT, 0, bodyAt + STEP_BYTES)
  const master = readRow(head, MASTER_AT, MASTERCHAIN, shard.bocAt + shard.bocLength)
  const signaturesAt = master.bocAt + master.bocLength
  const signaturesLength = head.readUInt32LE(16)
  return {
    seqno: head.readUInt32LE(0),
    keyBlockSeqno: head.readUInt32LE(4),
    /** Offset of the newest control record; 0 before the first control record. */
    controlAt: Number(head.readBigUInt64LE(8)),
    shard,
    master,
    signaturesAt,
    signaturesLength,
    /** Log offset of the list of waiting messages, which has 8 bytes (a log offset) for each message. */
    waitingAt: signaturesAt + signaturesLength,
    waitingCount: head.readUInt32LE(20),
  }
}

export const encodeSignatures = (set: SignatureSet): Buffer => {
  if (set.type !== 'ordinary') throw new Error('the embedded chain signs ordinary sets only')
  const out = Buffer.alloc(12)
  out.writeUInt32LE(set.validatorSetHash, 0)
  out.writeUInt32LE(set.catchainSeqno, 4)
  out.writeUInt32LE(set.signatures.length, 8)
  return Buffer.concat([out, ...set.signatures.flatMap(({ nodeIdShort, signature }) => [nodeIdShort, signature])])
}

export const decodeSignatures = (bytes: Buffer): SignatureSet => ({
  type: 'ordinary',
  validatorSetHash: bytes.readUInt32LE(0),
  catchainSeqno: bytes.readUInt32LE(4),
  signatures: Array.from({ length: bytes.readUInt32LE(8) }, (_, i) => ({
    nodeIdShort: new Uint8Array(bytes.subarray(12 + 96 * i, 44 + 96 * i)),
    signature: new Uint8Array(bytes.subarray(44 + 96 * i, 108 + 96 * i)),
  })),
})

/** Body of a message record: unix milliseconds of acceptance, then the BoC. */
export const encodeMessage = (acceptedAt: number, boc: Uint8Array): Buffer => {
  const body = Buffer.alloc(8 + boc.length)
  body.writeBigUInt64LE(BigInt(acceptedAt), 0)
  body.set(boc, 8)
  return body
}
export const decodeMessage = (body: Buffer): { acceptedAt: number; boc: Buffer } => ({
  acceptedAt: Number(body.readBigUInt64LE(0)),
  boc: body.subarray(8),
})
