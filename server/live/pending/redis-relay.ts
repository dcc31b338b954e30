import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import { errorText } from '../../base/error-text.ts'
import type { Log } from '../../base/log.ts'

/*
 * Shares sent messages between several `serve` processes of one network. Emulations are not shared: each process follows all messages, so no trace is lost
 * with a process. A Redis stream contains the messages of the last minute, for processes that start or were disconnected.
 */

export interface RelayDeps {
  readonly url: string
  /** Identifies the chain. Equal in all processes of this chain. */
  readonly chain: string
  /**
   * The relay calls this with each message that a different process has sent. The returned promise must resolve when the message is followed or skipped,
   * and must not reject.
   */
  readonly onMessage: (boc: Uint8Array) => Promise<void>
  readonly log: Log
}

/** How long a message stays in the stream (ms), and the maximum number of messages in it. */
const RETENTION = { ms: 60_000, messages: 10_000 } as const
const MAX_UNSENT = 1_000
/** Maximum number of messages of one read, and how long a read waits for a message (ms). */
const READ = { count: 256, ms: 2_000 } as const
const RETRY_MS = 250
/**
 * Maximum number of received messages that are emulated at a time. Further messages wait in Redis, because a message that waits too long for an emulation
 * permit is not followed.
 */
const AT_ONCE = 32
/** Timeout of a command (ms). That of a read includes its wait for messages. After a timeout the connection is replaced. */
const COMMAND_MS = { write: 1_000, read: READ.ms + 3_000 } as const
/** Maximum bytes of a shared message. The network refuses larger messages. */
const MAX_BYTES = 64 << 10

interface Unsent {
  readonly boc: Uint8Array
  /** Time (performance.now()) after which the message is not shared any more. */
  readonly until: number
}

const options: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  retryStrategy: (times) => Math.min(50 * times, 1_000),
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
}

const isSilent = (error: unknown): boolean => error instanceof Error && error.message === 'Command timed out'

/** Entries of a stream: the id, then alternating names and values. */
type Entries = readonly (readonly [Buffer, readonly Buffer[]])[]

/** Resolves after the next attempt to connect: with undefined if it succeeded, otherwise with the error. */
const nextFailure = (redis: Redis): Promise<Error | undefined> =>
  once(redis, 'ready').then(
    () => undefined,
    (error: Error) => error,
  )

/** Why a command failed. That of a command on a lost connection says only that it was tried; the next attempt to connect says why. */
const reasonOf = async (redis: Redis, error: unknown): Promise<unknown> =>
  redis.status === 'ready' ? error : ((await nextFailure(redis)) ?? new Error('the connection was closed'))

/** Opens a new connection when Redis does not respond, because Redis may be gone without having closed the old one. */
const renew = (redis: Redis): void => {
  if (redis.status === 'ready' && !redis.listeners('close').includes(leaving)) redis.once('close', leaving).disconnect(true)
}
const leaving = (): void => {}

export const createRelay = ({ url, chain, onMessage, log }: RelayDeps) => {
  const key = `tonway:sent:${chain}`
  const own = randomBytes(9).toString('base64url')
  const writer = new Redis(url, { ...options, commandTimeout: COMMAND_MS.write, connectionName: 'tonway-sent' })
  // A read waits in Redis, so it needs its own connection.
  const reader = new Redis(url, { ...options, commandTimeout: COMMAND_MS.read, connectionName: 'tonway-sent-reader' })
  let unsent: Unsent[] = []
  /** undefined until the first read has ended. */
  let isWell: boolean | undefined
  let isClosed = false
  const report = (now: boolean, error?: unknown): void => {
    if (now === isWell || isClosed) return
    if (!now) log.warn('pending.redis_lost', { reason: `${errorText(error)} (REDIS_URL)` })
    else if (isWell === false) log.info('pending.redis_restored')
    isWell = now
  }
  // The command that fails reports the error. Without a listener ioredis would print it too.
  for (const each of [writer, reader]) each.on('error', () => {})

  const write = async (boc: Uint8Array): Promise<void> => {
    await writer.xadd(key, 'MAXLEN', '~', RETENTION.messages, '*', 'by', own, 'boc', Buffer.from(boc))
    await writer.pexpire(key, 2 * RETENTION.ms)
  }
  const send = async ({ boc, until }: Unsent): Promise<void> => {
    try {
      await write(boc)
    } catch (error) {
      unsent = [...unsent.slice(1 - MAX_UNSENT), { boc, until }]
      if (isSilent(error)) renew(writer)
      return
    }
    // Redis may have refused earlier writes, for example when it was full. The connection stays open then, so the next successful write sends them again.
    if (unsent.length > 0) flush()
  }
  const flush = (): void => {
    const due = unsent.filter(({ until }) => until > performance.now())
    unsent = []
    for (const each of due) void send(each)
  }
  writer.on('ready', flush)

  const working = new Set<Promise<void>>()
  const take = async (entries: Entries): Promise<void> => {
    for (const [, fields] of entries) {
      const [, by, , boc] = fields
      if (by === undefined || boc === undefined || by.toString('latin1') === own || boc.length > MAX_BYTES) continue
      while (working.size >= AT_ONCE) await Promise.race(working)
      if (isClosed) return
      const work = onMessage(boc).finally(() => working.delete(work))
      working.add(work)
    }
  }
  /** Returns the stream id of a minute ago. Ids are times of Redis's clock, which may differ from this machine's clock. */
  const begin = async (): Promise<string> => {
    const [seconds] = await reader.time()
    return `${Number(seconds) * 1_000 - RETENTION.ms}-0`
  }
  const read = async (): Promise<void> => {
    let last: string | undefined
    const failure = await nextFailure(reader)
    if (failure) report(false, failure)
    while (!isClosed) {
      try {
        last ??= await begin()
        const found = (await reader.xreadBuffer('COUNT', READ.count, 'BLOCK', READ.ms, 'STREAMS', key, last)) as
          | readonly (readonly [Buffer, Entries])[]
          | null
        report(true)
        const entries = found?.[0]?.[1] ?? []
        await take(entries)
        last = entries.at(-1)?.[0].toString('latin1') ?? last
      } catch (error) {
        report(false, await reasonOf(reader, error))
        if (isSilent(error)) renew(reader)
        await sleep(RETRY_MS, undefined, { ref: false })
      }
    }
  }
  void read()

  return {
    /** Sends to all processes a message that the network has accepted. */
    sent(boc: Uint8Array): void {
      if (boc.length <= MAX_BYTES) void send({ boc, until: performance.now() + RETENTION.ms })
    },
    /** Returns whether messages of all processes can be read now. */
    isWell: (): boolean => isWell === true,
    close(): void {
      isClosed = true
      writer.disconnect()
      reader.disconnect()
    },
  }
}
