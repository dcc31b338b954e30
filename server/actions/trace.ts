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

export const base64Of = (hash: Hash): string => Buffer.from(hash, 'latin1').toString('base64')
