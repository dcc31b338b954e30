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
  /** The cached answer, if the head in memory is still the answer's head. */
  now(key: string): Answer<never> | undefined
  /** The cached answer, if it is still valid. Queries the head if it is not in memory. Rejects with the signal's reason. */
  find(key: string, signal: AbortSignal): Promise<Answer<never> | undefined> | Answer<never> | undefined
  /** Records a request. Returns true if the same request was recorded recently: its answer is then worth caching. */
  noteRequest(key: string): boolean
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
  const ask = async (): Promise<IndexHead> => (await reader.head?.ask()) ?? (await readHead(reader, signal))
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<IndexHead> | undefined
  const next = async (): Promise<IndexHead> => {
    await running
    waiting = undefined
    const answered = ask()
    running = answered.catch(() => {})
    return await answered
  }
  return () => {
    waiting ??= next()
    return waiting
  }
}

const answerOf = ({ text, headers }: CachedAnswer): Answer<never> => ({ pieces: [text], headers })

export const createAnswerCache = (reader: Reader): AnswerCache => {
  const check = createHeadCheck(reader)
  const answers = new Lru<string, CachedAnswer>({ ...LIMITS, sizeCalculation: ({ text }, key) => text.length + key.length })
  const seen = new Lru<string, true>({ ...SEEN, sizeCalculation: (_, key) => key.length })

  const freshOf = (key: string): CachedAnswer | undefined => {
    const cached = answers.get(key)
    return cached === undefined || performance.now() - cached.at > MAX_AGE_MS ? undefined : cached
  }
  const recheck = async (key: string, cached: CachedAnswer, signal: AbortSignal): Promise<Answer<never> | undefined> => {
    try {
      return validAt(await untilAborted(check(), signal), key, cached)
    } catch {
      signal.throwIfAborted()
      // No error here: the caller now reads the answer from the database, and that read throws the error.
      return undefined
    }
  }
  const validAt = (place: IndexHead, key: string, cached: CachedAnswer): Answer<never> | undefined => {
    if (isSameHead(cached.place, place)) return answerOf(cached)
    answers.delete(key)
    return undefined
  }

  return {
    now(key) {
      const cached = freshOf(key)
      const place = cached && reader.head?.now()
      return place && isSameHead(cached!.place, place) ? answerOf(cached!) : undefined
    },
    find(key, signal) {
      const cached = freshOf(key)
      if (cached === undefined) return undefined
      const place = reader.head?.now()
      return place === undefined ? recheck(key, cached, signal) : validAt(place, key, cached)
    },
    noteRequest(key) {
      const isRepeated = seen.has(key)
      seen.set(key, true)
      return isRepeated
    },
    put(key, view, text, headers) {
      answers.set(key, { place: view.place, text, headers, at: performance.now() })
    },
  }
}
