import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { EmulatedAccounts } from '../../book/emulated-accounts.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import type { EventAction, EventTransaction, Finality } from '../events.ts'
import type { PendingTrace } from './kept-traces.ts'

/*
 * The form in which pending traces are answered and sent. The process that follows a message makes it once. It is plain JSON, so that other processes can use
 * it too.
 */

/** A pending trace in that form. */
export interface ToldTrace {
  /** Hash of the message as it was sent, and in its normal form (TEP-467); base64. */
  readonly hash: string
  readonly hashNorm: string
  /** Whether a message from outside began it. If not, both hashes are that of its first known transaction. */
  readonly isExternal: boolean
  /** Hash of its first transaction, if that is in a block and received the message. */
  readonly traceId: string | null
  readonly isIncomplete: boolean
  /** The tree of the transactions; null if it is incomplete. */
  readonly tree: object | null
  /** A transaction comes before those that it causes. */
  readonly transactions: readonly EventTransaction[]
  /** Actions of every type, in the order of their first transactions. */
  readonly actions: readonly EventAction[]
  /** Accounts that are in other states than the index has, for the address book and the metadata. */
  readonly accounts: EmulatedAccounts
  readonly state: 'ok' | 'failed' | 'broken'
  /** The lowest finality of the transactions, and of those that an action waits for. Never finalized: finalized traces come from the index. */
  readonly finality: { readonly transactions: Finality; readonly actions: Finality }
}

/** Makes a ToldTrace. The room that knows the shapes of v3 implements it. */
export type TellTrace = (of: Pick<PendingTrace, 'hash' | 'hashNorm'>, trace: EmulatedTrace, signal: AbortSignal) => Promise<ToldTrace>

/** A change of the pending traces. `hashNorm`: base64. */
export type PendingNews =
  | {
      readonly kind: 'trace'
      readonly hash: string
      readonly hashNorm: string
      /** Raw addresses under which it is found. */
      readonly accounts: readonly string[]
      /** The ToldTrace as JSON, packed: a text of two transactions has 8 KB, and thousands of them are kept and sent to workers. */
      readonly packed: Buffer
      /** Characters of the JSON. */
      readonly characters: number
    }
  /** All of it is in blocks, the last of them in this masterchain block. */
  | { readonly kind: 'committed'; readonly hashNorm: string; readonly seqno: number }
  /** It is not followed any more. `isInvalid`: it will not happen as it was sent. */
  | { readonly kind: 'gone'; readonly hashNorm: string; readonly isInvalid: boolean }

/** Fast, because each trace is packed while its sender waits for the answer. */
const OPTIONS = { level: 3 } as const

/** A compressed text. It is copied, because zlib's own answer keeps a buffer of 16 KiB in memory, however short it is. */
const pack = (text: string): Buffer => {
  const packed = deflateRawSync(text, OPTIONS)
  const exact = Buffer.allocUnsafeSlow(packed.length)
  packed.copy(exact)
  return exact
}

/** What newsOf has packed. */
export const unpack = (packed: Buffer): ToldTrace => JSON.parse(inflateRawSync(packed).toString('utf8')) as ToldTrace

/** The news of a trace that is new or has changed. */
export const newsOf = (told: ToldTrace): PendingNews & { readonly kind: 'trace' } => {
  const { hash, hashNorm, transactions, actions } = told
  const accounts = new Set(transactions.map(({ account }) => account))
  for (const action of actions) for (const account of action.accounts) accounts.add(account)
  const text = JSON.stringify(told)
  return { kind: 'trace', hash, hashNorm, accounts: [...accounts], packed: pack(text), characters: text.length }
}
