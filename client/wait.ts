import type { OnAbort } from './abort.ts'
import { base64Of, bytesOf, hexBytesOf } from './bytes.ts'
import { abortedBy, TonClientError } from './errors.ts'
import { PASSING } from './failure-kinds.ts'
import type { Methods } from './methods.ts'
import type { Subscribe } from './subscribe.ts'
import type { CallOptions, TonClient } from './types.ts'

/** An external message: its destination and its hash (normalized or its own; base64, base64url or hex). `messageId(boc)` returns one. */
export interface MessageRef {
  readonly address: string
  readonly hash: string
  readonly bodyHash?: string | undefined
}

export interface WaitOptions extends CallOptions {
  /** Maximum milliseconds to wait; default 60,000. */
  readonly timeout?: number | undefined
  /** Unix seconds. The account's history is searched back to this time, but at most 1,000 transactions; default ten minutes ago. */
  readonly since?: number | undefined
}

type Transaction = Methods['getTransactions']['result'][number]
type IndexedTransaction = Methods['v3.transactionsByMessage']['result']['transactions'][number]

/** Maximum depth of an external message (`max_ext_message_depth` of ton-blockchain/ton). */
const MAX_DEPTH = 512

const hashText = (text: string): string => base64Of(/^[0-9a-f]{64}$/i.test(text) ? hexBytesOf(text) : bytesOf(text))

/**
 * Checks whether an external message has this normalized hash (TEP-467): the hash of `ext_in_msg_info$10 src:addr_none$00 dest import_fee:0` without
 * StateInit and with the body in a reference. That hash covers the hash and the depth of the body. v2 returns only the hash, so every depth is tried.
 */
const hasNormalized = async (hash: string, destination: string, bodyHash: string): Promise<boolean> => {
  // crypto.subtle is missing on pages without a secure context, such as a dev server opened on a phone.
  if (!crypto.subtle) throw new TypeError('waitForMessage: a normalized hash needs a secure context; messageId(boc) does not')
  // 277 bits: 1000100, workchain and account id, 000001. The completion bit and zeros follow.
  const bits = `1000100${Array.from(bytesOf(destination).slice(1, 34), (byte) => byte.toString(2).padStart(8, '0')).join('')}000001100`
  const cell = Uint8Array.from([1, 34 + 35, ...bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)), 0, 0, ...bytesOf(bodyHash)])
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    cell[37] = depth >> 8
    cell[38] = depth
    if (base64Of(new Uint8Array(await crypto.subtle.digest('SHA-256', cell))) === hash) return true
  }
  return false
}

const ROWS = 40
const PAGES = 25

/**
 * Returns a function that searches the account's history for the message, newest first, page by page. Each call searches the transactions since the
 * previous call.
 */
const finder = (
  { address, hash, bodyHash }: MessageRef,
  request: TonClient['request'],
  { signal, since = Date.now() / 1000 - 600 }: WaitOptions,
) => {
  const own = hashText(hash)
  const is = async ({ in_msg }: Transaction): Promise<boolean> =>
    in_msg?.source === '' &&
    (in_msg.hash === own || (bodyHash ? in_msg.body_hash === bodyHash : hasNormalized(own, in_msg.destination, in_msg.body_hash)))
  let seen = 0n
  return async (): Promise<Transaction | undefined> => {
    let newest = seen
    let cursor = {}
    for (let page = 0; page < PAGES; page++) {
      const rows = await request('getTransactions', { address, limit: ROWS, ...cursor }, { signal })
      for (const row of rows) {
        const { lt, hash } = row.transaction_id
        if (BigInt(lt) > newest) newest = BigInt(lt)
        if (BigInt(lt) > seen && (await is(row))) return row
        cursor = { lt, hash }
      }
      const last = rows[ROWS - 1]
      if (!last || BigInt(last.transaction_id.lt) <= seen || last.utime < since) break
    }
    seen = newest
    return
  }
}

const indexed =
  (hash: string, request: TonClient['request'], { signal }: WaitOptions) =>
  async (): Promise<IndexedTransaction | undefined> =>
    (await request('v3.transactionsByMessage', { msg_hash: hash, limit: 1 }, { signal })).transactions[0]

export interface WaitDeps {
  readonly request: TonClient['request']
  readonly endpoint: string
  readonly onAbort: OnAbort
  /** Undefined for a transport without subscriptions. An event ends the pause between two searches. */
  readonly subscribe?: Subscribe | undefined
}

/** See ClientCore.waitForMessage. Rejects in time even if a request hangs. */
export const waitForMessage = async (
  { request, endpoint, onAbort, subscribe }: WaitDeps,
  message: MessageRef | string,
  { signal, timeout = 60_000, since }: WaitOptions = {},
): Promise<Transaction | IndexedTransaction> => {
  const stop = new AbortController()
  let wake = (): void => {}
  /** True if an event arrived since the last search began. */
  let isNews = false
  let next: ReturnType<typeof setTimeout> | undefined
  const end = (): void => {
    stop.abort(signal?.reason)
    wake()
  }
  // Timers support delays of at most 31 bits.
  const timer = setTimeout(end, Math.min(timeout, 2 ** 31 - 1))
  if (signal?.aborted) end()
  const news = (): void => {
    isNews = true
    wake()
  }
  const about =
    typeof message === 'string'
      ? { types: ['trace'], trace_external_hash_norms: [message] }
      : { types: ['transactions'], addresses: [message.address] }
  // A server without subscriptions refuses this request. The search loop then polls.
  const subscription = subscribe?.('subscribe', about, { onData: news, onGap: news }, 'unsubscribe')
  const forget = signal && onAbort(signal, end)
  try {
    const options = { signal: stop.signal, since }
    const look = typeof message === 'string' ? indexed(message, request, options) : finder(message, request, options)
    for (let pause = 100; ; pause = Math.min(2000, pause * 1.5)) {
      isNews = false
      try {
        const found = await look()
        if (found) return found
      } catch (error) {
        if (signal?.aborted) throw new TonClientError('waitForMessage', abortedBy(signal, endpoint))
        if (!(stop.signal.aborted || PASSING[(error as TonClientError).kind])) throw error
      }
      if (stop.signal.aborted && !signal?.aborted)
        throw new TonClientError('waitForMessage', {
          kind: 'TIMEOUT',
          message: `no transaction within ${timeout} ms`,
          endpoint,
        })
      // An abort during the pause ends the pause, and the next search fails immediately.
      await new Promise<void>((resolve) => {
        wake = resolve
        next = setTimeout(resolve, isNews ? 0 : pause)
      })
    }
  } finally {
    clearTimeout(timer)
    clearTimeout(next)
    subscription?.close()
    forget?.()
  }
}
