import { untilAborted } from '../../base/abort.ts'
import type { Answer, AnswerHeaders } from '../../base/answer.ts'
import { Lru } from '../../base/memory/lru.ts'
import { isSameHead } from '../../store/head/index-head.ts'
import type { Reader } from '../../store/postgres/reader.ts'
import { readHead, type View } from '../../store/queries/view.ts'
import type { IndexHead } from '../../store/schema/head.ts'

/*
 * Caches the answers of repeated requests, such as the first page of a list, until the head changes. If the head is in memory
 * (store/head/head-in-memory.ts), a cached answer needs no query. Otherwise one short query reads the head, instead of about ten queries for the answer.
 */

/** An answer as JSON text. `place`: the head at which the answer was read. */
interface CachedAnswer {
  readonly place: IndexHead
  readonly text: string
  readonly headers: AnswerHeaders
  readonly at: number
}

export interface AnswerCache {
  /** The cached answer, if it is still valid. Queries the head if it is not in memory. Rejects with the signal's reason. */
  find(key: string, signal: AbortSignal): Promise<Answer<never> | undefined>
  /** Caches an answer if the same request was answered recently. */
  put(key: string, view: View, text: string, headers: AnswerHeaders): void
}

/**
 * Milliseconds until a cached answer expires although the head has not changed. Some data does not come from blocks: fetched metadata, methods of new
 * codes.
 */
const MAX_AGE_MS = 1_000
const LIMITS = { max: 2_000, maxSize: 16 << 20, maxEntrySize: 1 << 20 }

/** Limits of the cache of request keys. A key contains the caller's parameters and can be long. */
const SEEN = { max: 4_096, maxSize: 1 << 20 }

/** Queries the head. A call during a running query waits for the next query, because the result of the running query may already be outdated. */
const createHeadCheck = (reader: Reader): (() => Promise<IndexHead>) => {
  // All waiting callers share the query, so no caller's signal may abort it. It ends by the usual statement timeout.
  const { signal } = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<IndexHead> | undefined
  const next = async (): Promise<IndexHead> => {
    await running
    waiting = undefined
    const answered = readHead(reader, signal)
    running = answered.catch(() => {})
    return await answered
  }
  return () => {
    waiting ??= next()
    return waiting
  }
}

export const createAnswerCache = (reader: Reader): AnswerCache => {
  const check = createHeadCheck(reader)
  const answers = new Lru<string, CachedAnswer>({ ...LIMITS, sizeCalculation: ({ text }, key) => text.length + key.length })
  const seen = new Lru<string, true>({ ...SEEN, sizeCalculation: (_, key) => key.length })

  /** Undefined if the head cannot be queried. The caller then reads the answer from the database, and that read throws the error. */
  const presentHead = async (signal: AbortSignal): Promise<IndexHead | undefined> =>
    untilAborted(check(), signal).catch(() => {
      signal.throwIfAborted()
      return undefined
    })

  return {
    async find(key, signal) {
      const cached = answers.get(key)
      if (cached === undefined || performance.now() - cached.at > MAX_AGE_MS) return undefined
      const { place, text, headers } = cached
      const head = reader.head?.now() ?? (await presentHead(signal))
      if (head === undefined) return undefined
      if (isSameHead(place, head)) return { pieces: [text], headers }
      answers.delete(key)
      return undefined
    },
    put(key, view, text, headers) {
      if (seen.has(key)) answers.set(key, { place: view.place, text, headers, at: performance.now() })
      else seen.set(key, true)
    },
  }
}
