import { promisify } from 'node:util'
import { deflateRaw, inflateRawSync } from 'node:zlib'
import { jsonParts, piecesOf } from '../../base/json/parts.ts'
import type { EmulatedAccounts } from '../../book/emulated-accounts.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import type { EventAction, EventTransaction, Finality } from '../events.ts'
import type { PendingTrace } from './followed-traces.ts'

/* A pending trace as responses and events show it. Plain JSON. */

export interface PublishedTrace {
  /** Hash of the message as it was sent (`hash`) and in its normal form (`hashNorm`, TEP-467); base64. */
  readonly hash: string
  readonly hashNorm: string
  /** True if an external message began the trace. Otherwise both hashes are the hash of the first transaction that this process has. */
  readonly isExternal: boolean
  /** Hash of the first transaction; null unless that transaction is in a block and received the message. */
  readonly traceId: string | null
  readonly isIncomplete: boolean
  /** True if the index could not be read. The trace is emulated and formatted again when the index can be read. */
  readonly lacksFacts: boolean
  /** The tree of the transactions; null if it is incomplete. */
  readonly tree: object | null
  /** Each transaction comes before the transactions that it causes. */
  readonly transactions: readonly EventTransaction[]
  /** Actions of every type, in the order of their first transactions. */
  readonly actions: readonly EventAction[]
  /** Accounts whose emulated states differ from the index. Address book and metadata use these states. */
  readonly accounts: EmulatedAccounts
  readonly state: 'ok' | 'failed' | 'broken'
  /**
   * `transactions`: lowest finality of all transactions. `actions`: lowest finality of the transactions that actions depend on. Never `finalized`, because
   * finalized traces come from the index.
   */
  readonly finality: { readonly transactions: Finality; readonly actions: Finality }
}

/** Creates a PublishedTrace. server/v3 implements it, because it has the builders of the v3 API's JSON shapes. */
export type FormatTrace = (
  of: Pick<PendingTrace, 'hash' | 'hashNorm'>,
  trace: EmulatedTrace,
  signal: AbortSignal,
) => Promise<PublishedTrace>

/** A PublishedTrace as it is stored. */
export interface PackedTrace extends Pick<PublishedTrace, 'hash' | 'hashNorm'> {
  /** Raw addresses by which the trace is found. */
  readonly accounts: readonly string[]
  /** Characters of the JSON, which may be a hundred times as long as `packed`. */
  readonly chars: number
  /** Compressed JSON: two transactions have 8 KB of JSON, and thousands of traces are in memory. `unpack` reads it. */
  readonly packed: Buffer
}

/** A fast level, because the sender of a message waits for the response while its trace is compressed. */
const OPTIONS = { level: 3 } as const

/** Compresses a text. The result is copied, because zlib's own result occupies a buffer of 16 KiB, however short it is. */
const compress = async (text: string): Promise<Buffer> => {
  // `deflateRaw` is read at each call: a test that has no threads replaces it.
  const packed = await promisify(deflateRaw)(text, OPTIONS)
  const exact = Buffer.allocUnsafeSlow(packed.length)
  packed.copy(exact)
  return exact
}

export const unpack = (packed: Buffer): PublishedTrace => JSON.parse(inflateRawSync(packed).toString('utf8')) as PublishedTrace

/**
 * Packs a trace; undefined if its JSON has more than `most` characters. Yields to the event loop in between, because 256 transactions of 64 KB each are
 * 40 MB.
 */
export const pack = async (published: PublishedTrace, most: number): Promise<PackedTrace | undefined> => {
  const { hash, hashNorm, transactions, actions } = published
  let text = ''
  for await (const piece of piecesOf(jsonParts(published, 2))) {
    text += piece
    if (text.length > most) return undefined
  }
  const accounts = new Set(transactions.map(({ account }) => account))
  for (const action of actions) for (const account of action.accounts) accounts.add(account)
  return { hash, hashNorm, accounts: [...accounts], chars: text.length, packed: await compress(text) }
}
