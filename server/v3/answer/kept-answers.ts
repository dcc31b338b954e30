import { untilAborted } from '../../base/abort.ts'
import type { Answer, AnswerHeaders } from '../../base/answer.ts'
import { Lru } from '../../base/memory/lru.ts'
import { isSamePlace } from '../../store/head/place.ts'
import type { Reader } from '../../store/postgres/pool.ts'
import { askPlace, type View } from '../../store/queries/head.ts'
import type { IndexPlace } from '../../store/schema/head.ts'

/*
 * Answers of the index that are asked for repeatedly, such as the first page of a list. They are kept until the head moves. The head is in memory while its
 * writer tells it (store/head/present-head.ts). Otherwise it is asked for: then an answer costs one short statement in the place of ten.
 */

/** An answer as JSON text, and the head that it is of. */
interface Kept {
  readonly place: IndexPlace
  readonly text: string
  readonly headers: AnswerHeaders
  /** When it was made (performance.now()). */
  readonly at: number
}

export interface KeptAnswers {
  /** The kept answer, if it is of the head in memory. */
  now(key: string): Answer<never> | undefined
  /** Looks for a kept answer, and asks for the head if it is not in memory. Rejects with the signal's reason. */
  find(key: string, signal: AbortSignal): Promise<Answer<never> | undefined> | Answer<never> | undefined
  /** Notes that a question is asked. Returns whether its answer is to be kept: it was asked before, not long ago. */
  noteAsked(key: string): boolean
  put(key: string, view: View, text: string, headers: AnswerHeaders): void
}

/** Milliseconds after which an answer is made anew even at the same head, for what does not come from blocks: fetched metadata, methods of new codes. */
const KEEP_MS = 1_000
/** Bounds of all kept answers. */
const LIMITS = { max: 2_000, maxSize: 16 << 20, maxEntrySize: 1 << 20 }

/** Bounds of the keys of questions that were asked once. They contain a caller's parameters and can be long. */
const SEEN = { max: 4_096, maxSize: 1 << 20 }

/** Asks for the head. Whoever comes while a question is under way waits for the next one, because the answer to that one may already be old. */
const createHeadCheck = (reader: Reader): (() => Promise<IndexPlace>) => {
  // It is for all who wait, so it does not end with one of them. It has the time of any statement.
  const { signal } = new AbortController()
  const ask = async (): Promise<IndexPlace> => (await reader.head?.ask()) ?? (await askPlace(reader, signal))
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<IndexPlace> | undefined
  const next = async (): Promise<IndexPlace> => {
    await running
    waiting = undefined
    const asked = ask()
    running = asked.catch(() => {})
    return await asked
  }
  return () => {
    waiting ??= next()
    return waiting
  }
}

const answerOf = ({ text, headers }: Kept): Answer<never> => ({ pieces: [text], headers })

export const createKeptAnswers = (reader: Reader): KeptAnswers => {
  const check = createHeadCheck(reader)
  const answers = new Lru<string, Kept>({ ...LIMITS, sizeCalculation: ({ text }, key) => text.length + key.length })
  const seen = new Lru<string, true>({ ...SEEN, sizeCalculation: (_, key) => key.length })

  const freshOf = (key: string): Kept | undefined => {
    const kept = answers.get(key)
    return kept === undefined || performance.now() - kept.at > KEEP_MS ? undefined : kept
  }
  const stillOf = async (key: string, kept: Kept, signal: AbortSignal): Promise<Answer<never> | undefined> => {
    try {
      return knownAt(await untilAborted(check(), signal), key, kept)
    } catch {
      signal.throwIfAborted()
      // Reading anew tells what is wrong.
      return undefined
    }
  }
  const knownAt = (place: IndexPlace, key: string, kept: Kept): Answer<never> | undefined => {
    if (isSamePlace(kept.place, place)) return answerOf(kept)
    answers.delete(key)
    return undefined
  }

  return {
    now(key) {
      const kept = freshOf(key)
      const place = kept && reader.head?.now()
      return place && isSamePlace(kept!.place, place) ? answerOf(kept!) : undefined
    },
    find(key, signal) {
      const kept = freshOf(key)
      if (kept === undefined) return undefined
      const place = reader.head?.now()
      return place === undefined ? stillOf(key, kept, signal) : knownAt(place, key, kept)
    },
    noteAsked(key) {
      const isRepeated = seen.has(key)
      seen.set(key, true)
      return isRepeated
    },
    put(key, view, text, headers) {
      answers.set(key, { place: view.place, text, headers, at: performance.now() })
    },
  }
}
