import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'
import { jsonPieces } from '../../base/json/steps.ts'
import type { EmulatedAccounts } from '../../book/emulated-accounts.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import type { EventAction, EventTransaction, Finality } from '../events.ts'
import type { PendingTrace } from './followed-traces.ts'

/*
 * The form in which answers and events have pending traces. The process that follows a message makes it once. It is plain JSON, so that other processes can
 * use it too.
 */

/** A pending trace in that form. */
export interface PublishedTrace {
  /** Hash of the message as it was sent, and in its normal form (TEP-467); base64. */
  readonly hash: string
  readonly hashNorm: string
  /** Whether a message from outside began it. If not, both hashes are that of the first transaction that this process has. */
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

/** Makes a PublishedTrace. The room v3, which has the shapes of v3, implements it. */
export type FormatTrace = (
  of: Pick<PendingTrace, 'hash' | 'hashNorm'>,
  trace: EmulatedTrace,
  signal: AbortSignal,
) => Promise<PublishedTrace>

/** A change of the pending traces. `hashNorm`: base64. */
export type PendingNews =
  | {
      readonly kind: 'trace'
      readonly hash: string
      readonly hashNorm: string
      /** Raw addresses under which it is found. */
      readonly accounts: readonly string[]
      /** The PublishedTrace as JSON, packed: a text of two transactions has 8 KB, and thousands of them are in memory and sent to workers. */
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

const deflate = promisify(deflateRaw)
/** A text of more characters is packed in a thread of zlib's. For a shorter one that takes longer. */
const SHORT = 1 << 16

/** A compressed text. It is copied, because zlib's own answer keeps a buffer of 16 KiB in memory, however short it is. */
const pack = async (text: string): Promise<Buffer> => {
  const packed = text.length <= SHORT ? deflateRawSync(text, OPTIONS) : await deflate(text, OPTIONS)
  const exact = Buffer.allocUnsafeSlow(packed.length)
  packed.copy(exact)
  return exact
}

/** What newsOf has packed. */
export const unpack = (packed: Buffer): PublishedTrace => JSON.parse(inflateRawSync(packed).toString('utf8')) as PublishedTrace

/** The news of a trace that is new or has changed, made in turns: 256 transactions of 64 KB each are 40 MB. undefined: its JSON has more than `most` characters. */
export const newsOf = async (published: PublishedTrace, most: number): Promise<(PendingNews & { readonly kind: 'trace' }) | undefined> => {
  const { hash, hashNorm, transactions, actions } = published
  let text = ''
  for await (const piece of jsonPieces(published, 2)) {
    text += piece
    if (text.length > most) return undefined
  }
  const accounts = new Set(transactions.map(({ account }) => account))
  for (const action of actions) for (const account of action.accounts) accounts.add(account)
  return { kind: 'trace', hash, hashNorm, accounts: [...accounts], packed: await pack(text), characters: text.length }
}
