import { inOwnTurn } from '../../base/yield.ts'
import type { Channel } from '../adnl/channel.ts'
import { connectAdnl, type Peer } from '../adnl/connect.ts'
import { AdnlError } from '../adnl/error.ts'
import { type AdnlMessage, decodeMessage, encodeMessage } from '../adnl/messages.ts'
import type { LiteAnswer, LiteArgs, LiteFunction } from '../liteserver.ts'
import type { LiteTl, Wait } from '../tl/lite-queries.ts'
import { createWaiting } from '../waiting.ts'
import { createPending, type Pending } from './pending.ts'

export class LinkError extends Error {
  override readonly name = 'LinkError'
  /** True if the query was sent, so that it may have had an effect. */
  readonly sent: boolean
  constructor(message: string, sent: boolean, options?: ErrorOptions) {
    super(message, options)
    this.sent = sent
  }
}

export type LiteClient = ReturnType<typeof createLiteClient>

export type LinkState = 'connecting' | 'ready' | 'waiting' | 'closed'

export interface ClientTimes {
  readonly connectMs: number
  readonly packetMs: number
  /** Milliseconds of silence after which a ping is sent, and after which the connection is closed. */
  readonly pingMs: number
  readonly silentMs: number
  /** Minimum and maximum wait (ms) before a new connection. Each wait is longer than the last, with up to 50 % of random change. */
  readonly backoffMs: readonly [number, number]
}

const CLIENT_TIMES: ClientTimes = { connectMs: 5_000, packetMs: 20_000, pingMs: 5_000, silentMs: 15_000, backoffMs: [250, 30_000] }

/** Maximum packet size: an answer with the longest bytes value that TL allows. */
const MAX_PACKET = 0xffffff + 64
/** Maximum number of bytes that a server has not read. Its pings keep a connection open, and the answers to them would fill the memory. */
const MAX_UNREAD = 4 << 20

export interface QueryOptions {
  readonly wait?: Wait | undefined
  /** Called with the number of bytes of the answer, before it is decoded. Answers that arrived together with it may be read by then. */
  readonly hold?: (bytes: number) => void
}

type Ask = <F extends LiteFunction>(fn: F, args: LiteArgs<F>, signal: AbortSignal, options?: QueryOptions) => Promise<() => LiteAnswer<F>>

/** Adds `query`, which decodes the answer of `ask` in its own turn. */
export const withQuery = <T extends { readonly ask: Ask }>(server: T) =>
  Object.assign(server, {
    query: async <F extends LiteFunction>(...of: Parameters<typeof server.ask<F>>): Promise<LiteAnswer<F>> =>
      await inOwnTurn(await server.ask(...of)),
  })

const backoffOf = ([first, most]: ClientTimes['backoffMs'], failures: number): number =>
  Math.min(most, first * 2 ** Math.min(failures, 16)) * (0.5 + Math.random())

export interface ClientDeps {
  readonly tl: LiteTl
  readonly times?: Partial<ClientTimes>
  readonly onChange: () => void
}

export const createLiteClient = (peer: Peer, { tl, times: given, onChange }: ClientDeps) => {
  const times = { ...CLIENT_TIMES, ...given }
  let state: LinkState = 'connecting'
  let fault: string | undefined
  let channel: Channel | undefined
  let pending = createPending()
  let [failures, readyAt, lastPacketAt] = [0, 0, 0]
  let isPaused = false
  let retry: NodeJS.Timeout | undefined
  /** Queries that were made during a connection attempt wait here until it has succeeded or failed. */
  const deciding = createWaiting()

  const become = (next: LinkState): void => {
    state = next
    deciding.wake()
    onChange()
  }

  const say = (message: AdnlMessage): void => {
    if ((channel?.backlog() ?? 0) > MAX_UNREAD) channel?.close(new AdnlError('it does not read what is sent'))
    else channel?.send(encodeMessage(message))
  }

  const beat = setInterval(() => {
    if (state !== 'ready' || isPaused) return
    const silent = performance.now() - lastPacketAt
    if (silent > times.silentMs) channel?.close(new AdnlError(`silent for ${Math.round(silent)} ms`))
    else if (silent > times.pingMs) say({ type: 'ping', random: BigInt(Math.floor(lastPacketAt)) })
  }, times.pingMs)
  beat.unref()

  const onPacket = (own: Pending, payload: Buffer): void => {
    lastPacketAt = performance.now()
    const message = decodeMessage(payload)
    if (message?.type === 'answer') own.settle(message.id, message.data)
    else if (message?.type === 'ping') say({ type: 'pong', random: message.random })
    else if (message?.type !== 'pong') throw new AdnlError('a message that is not an answer')
  }

  const connect = (): void => {
    retry = undefined
    const own = createPending()
    pending = own
    become('connecting')
    const onClose = (reason?: Error): void => {
      fault = reason?.message ?? 'the server closed the connection'
      own.fail(new LinkError(fault, true, { cause: reason }))
      if (state === 'closed') return
      // A server can close each connection at its first query.
      if (state === 'ready' && performance.now() - readyAt > times.pingMs) failures = 0
      retry = setTimeout(connect, backoffOf(times.backoffMs, failures))
      failures += 1
      become('waiting')
    }
    try {
      channel = connectAdnl(peer, {
        ...times,
        maxPacket: MAX_PACKET,
        onPacket: (payload) => onPacket(own, payload),
        onReady() {
          readyAt = performance.now()
          lastPacketAt = readyAt
          fault = undefined
          if (isPaused) channel?.pause()
          become('ready')
        },
        onClose,
      })
    } catch (error) {
      // The server's key is of low order.
      onClose(error as Error)
    }
  }

  connect()

  return withQuery({
    peer,
    /**
     * Resolves when the answer has arrived, with the function that decodes it, which may throw TlError. Sixty answers can arrive in one turn, and one with
     * sixteen thousand elements takes ten milliseconds. Rejects with LiteServerError, LinkError or the signal's reason. A query is never sent twice.
     */
    async ask<F extends LiteFunction>(fn: F, args: LiteArgs<F>, signal: AbortSignal, how?: QueryOptions): Promise<() => LiteAnswer<F>> {
      signal.throwIfAborted()
      while (state === 'connecting') {
        await deciding.join(Number.POSITIVE_INFINITY, signal)
        signal.throwIfAborted()
      }
      if (state !== 'ready' || channel === undefined) throw new LinkError(fault ?? 'not connected', false)
      const bytes = tl.encodeQuery(fn, args, how?.wait)
      const { id, answer } = pending.add(signal)
      say({ type: 'query', id, data: bytes })
      const bytesOfAnswer = await answer
      how?.hold?.(bytesOfAnswer.length)
      tl.throwIfError(bytesOfAnswer)
      return () => tl.decodeAnswer(fn, bytesOfAnswer)
    },
    /** Stops reading, also from later connections, or goes on. A server is not silent while nothing is read. */
    read(isOn: boolean): void {
      isPaused = !isOn
      lastPacketAt = performance.now()
      if (isOn) channel?.resume()
      else if (state === 'ready') channel?.pause()
    },
    get state(): LinkState {
      return state
    },
    get inFlight(): number {
      return pending.size()
    },
    get fault(): string | undefined {
      return fault
    },
    close(): void {
      if (state === 'closed') return
      state = 'closed'
      clearTimeout(retry)
      clearInterval(beat)
      channel?.close(new AdnlError('closed'))
      become('closed')
    },
  })
}
