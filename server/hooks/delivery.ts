import { createHash, createHmac, randomBytes } from 'node:crypto'
import { joinAbort } from '../base/abort.ts'
import { traced, traceHeaders } from '../base/tracing/tracer.ts'
import { inOwnTurn } from '../base/yield.ts'
import { FetchRefusal } from '../net/fetch.ts'
import type { Post } from '../net/post.ts'
import type { Hook } from './store.ts'

/* One delivery, in the format of Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */

export interface Message {
  /** The same at each attempt, so that the receiver can recognize duplicates. */
  readonly id: string
  readonly body: Buffer
}

export interface Outcome {
  /** Why the delivery failed; undefined if it succeeded. */
  readonly reason: string | undefined
  /** True if the receiver answered 410, which means that it wants no more messages. */
  readonly isGone: boolean
}

/** Milliseconds in which the receiver has to answer. */
const ANSWER_MS = 10_000
const GONE = 410
const PREFIX = 'whsec_'

export const createSecret = (): string => `${PREFIX}${randomBytes(24).toString('base64')}`

/** A cursor without the hashes of earlier blocks, because their number depends on what the index has at the time. */
const placeOf = (cursor: string): string => {
  const [seqno, hash, , place] = cursor.split('.')
  return `${seqno} ${hash} ${place}`
}

/**
 * Id of a message, made from the hook and the event's position, so that repeated deliveries have the same id. A revert or an event without a cursor has the
 * position of the event before it. Its `text` is part of the id too, because the chain may go back to the same block twice.
 */
export const messageId = (hook: string, cursor: string, text = ''): string =>
  `msg_${createHash('sha256')
    .update(`${hook} ${placeOf(cursor)} ${text}`)
    .digest('base64url')
    .slice(0, 27)}`

/** `at`: unix milliseconds. */
const signedHeaders = (secret: string, { id, body }: Message, at: number): Record<string, string> => {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')
  return { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof FetchRefusal) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  return message || code || 'the connection failed'
}

/** Sends one message. Rejects only with the signal's reason. */
export const deliver = async (
  { post, now }: { readonly post: Post; readonly now: () => number },
  { url, secret }: Pick<Hook, 'url' | 'secret'>,
  message: Message,
  signal: AbortSignal,
): Promise<Outcome> => {
  const answer = joinAbort(signal)
  const { hostname, protocol, port } = new URL(url)
  // The path is omitted, because it may contain a secret of the receiver.
  const attributes = {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  }
  let timer: NodeJS.Timeout | undefined
  const giveUp = (): void => answer.abort(new Error(`no answer within ${ANSWER_MS / 1000} s`))
  try {
    const status = await traced({ name: 'POST', kind: 'client', attributes }, async (span) => {
      // Hundreds of hooks can get an event of a megabyte at once. Each signs it with a secret of its own, which takes milliseconds.
      const signed = await inOwnTurn(() => signedHeaders(secret, message, now()))
      const headers = { ...traceHeaders(), ...signed }
      // Hundreds of receivers may get an event at one instant and answer none.
      timer = setTimeout(() => void inOwnTurn(giveUp), ANSWER_MS)
      const answered = await post.send(url, headers, message.body, answer.signal)
      span.set({ 'http.response.status_code': answered })
      if (answered >= 400) span.fail(String(answered))
      return answered
    })
    const isTaken = status >= 200 && status < 300
    return { reason: isTaken ? undefined : `answered with ${status}`, isGone: status === GONE }
  } catch (error) {
    signal.throwIfAborted()
    return { reason: reasonOf(answer.signal.aborted ? answer.signal.reason : error).slice(0, 300), isGone: false }
  } finally {
    clearTimeout(timer)
    answer.release()
  }
}
