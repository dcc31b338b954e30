import type { Cell } from '../cell/cell.ts'

/* The classifier's input: plain data, so that it can be made from blocks (from-transactions.ts), from rows of the index and from recorded traces. */

/** A hash as 32 one-byte characters, as `Cell.hashKey()` gives it. */
export type Hash = string

/** A raw address in upper case, `0:ABCD...`: the form in answers and the key of facts. */
export type Address = string

export type AccountStatusName = 'uninit' | 'frozen' | 'active' | 'nonexist'

export interface TraceMessage {
  /** Hash of the message's root cell. Action ids are computed from it. */
  readonly hash: Hash
  /** null for an external inbound message. */
  readonly source: Address | null
  /** null for an external outbound message (a log). */
  readonly destination: Address | null
  /** Nanograms; null for external messages. */
  readonly value: bigint | null
  /** Extra currencies by id; undefined if there are none. */
  readonly extraCurrencies: ReadonlyMap<number, bigint> | undefined
  /** null for an external inbound message. */
  readonly createdLt: bigint | null
  /** Unix seconds. */
  readonly createdAt: number | null
  readonly bounce: boolean
  readonly bounced: boolean
  /** The first 32 bits of the body; null if it is shorter. */
  readonly opcode: number | null
  readonly body: Cell
  readonly init: Cell | undefined
}

export interface TraceTransaction {
  readonly hash: Hash
  readonly account: Address
  readonly lt: bigint
  /** Unix seconds. */
  readonly now: number
  /** Seqno of the masterchain block that commits the transaction. */
  readonly mcSeqno: number
  readonly tickTock: boolean
  readonly aborted: boolean
  /** The compute phase was skipped because there was no gas. A plain transfer of a few nanograms still arrives. */
  readonly noGas: boolean
  /** Exit code of the compute phase; null if the phase was skipped. */
  readonly exitCode: number | null
  readonly before: AccountStatusName
  readonly after: AccountStatusName
  /** undefined for tick-tock transactions. */
  readonly inMessage: TraceMessage | undefined
  /** In the order they were sent (created_lt). */
  readonly outMessages: readonly TraceMessage[]
}

/** A trace: all transactions that follow from one external message, tick or system message. */
export interface Trace {
  /** Hash of its first transaction. */
  readonly id: Hash
  /** In any order. */
  readonly transactions: readonly TraceTransaction[]
}

/** Reused to convert hashes to base64, because copying costs less than a new Buffer. */
const scratch = Buffer.alloc(64)

const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'latin1')
/** First and second base64 character for each value of 12 bits. */
const FIRST = Uint8Array.from({ length: 4096 }, (_, bits) => ALPHABET[bits >>> 6]!)
const SECOND = Uint8Array.from({ length: 4096 }, (_, bits) => ALPHABET[bits & 63]!)
const PADDING = '='.charCodeAt(0)

/** Writes the standard base64 of a hash to the start of `out`; returns its length, 44. */
export const writeBase64 = (hash: Hash, out: Uint8Array): number => {
  for (let i = 0, at = 0; i < 30; i += 3, at += 4) {
    const bits = (hash.charCodeAt(i) << 16) | (hash.charCodeAt(i + 1) << 8) | hash.charCodeAt(i + 2)
    const high = bits >>> 12
    const low = bits & 4095
    out[at] = FIRST[high]!
    out[at + 1] = SECOND[high]!
    out[at + 2] = FIRST[low]!
    out[at + 3] = SECOND[low]!
  }
  const last = (hash.charCodeAt(30) << 8) | hash.charCodeAt(31)
  out[40] = ALPHABET[last >>> 10]!
  out[41] = ALPHABET[(last >>> 4) & 63]!
  out[42] = ALPHABET[(last & 15) << 2]!
  out[43] = PADDING
  return 44
}

export const base64Of = (hash: Hash): string => scratch.toString('base64', 0, scratch.write(hash, 'latin1'))
