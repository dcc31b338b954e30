import type { ClientConfig } from 'pg'
import { comparePlaces, type Floor } from '../replicas/floor.ts'
import type { IndexPlace, ToldHead } from '../schema/head.ts'
import { type Line, listenForHead } from './listen.ts'
import { PLACE, type PlaceRow, placeOfRow } from './place.ts'

/*
 * The published head in memory, so that an answer that is kept needs no question to the database. It is believed only while the connection that listens is
 * known to live. A notification comes a moment after the commit that it tells of. So within the process that writes the index, and for whoever has read a
 * later head in this process, the later one counts: the head in memory is then not used until it has been asked for again.
 */

/** Calls `notice` when the head that readers see has changed. Returns a function that stops it. */
export type OnHead = (notice: () => void) => () => void

export interface PresentHead {
  /** The head, if it is certain; undefined if it has to be asked for. */
  now(): IndexPlace | undefined
  /** Asks the database for the head, over the connection that listens. Undefined while there is none, or if it is behind. */
  ask(): Promise<IndexPlace | undefined>
  readonly onHead: OnHead
  /** This process has published a block, or has gone back to one. Called before anybody else hears of it. */
  published(seqno: number): void
  close(): Promise<void>
}

export interface PresentHeadOptions {
  /** How to connect to the database that the index is written to. */
  readonly connection: () => ClientConfig | undefined
  /** The newest head of the answers of this process. */
  readonly floor: Floor
}

/** Milliseconds for which the connection is believed to live after its last word. A connection that is lost without a sign can hide a block that long. */
const ALIVE_MS = 250

export const createPresentHead = ({ connection, floor }: PresentHeadOptions): PresentHead => {
  const listeners = new Set<() => void>()
  let line: Line | undefined
  let place: IndexPlace | undefined
  /** Notifications so far. An answer that was asked for before the last of them may be older than it. */
  let news = 0
  let heardAt = 0
  /** The block that this process published last. */
  let own = -1
  let closed = false
  let listening: { close(): Promise<void> } | undefined

  const forget = (): void => {
    news++
    place = undefined
  }

  const noticed = (head: ToldHead | undefined): void => {
    heardAt = performance.now()
    if (head === undefined || place === undefined) forget()
    else if (head.seqno > place.head) {
      news++
      place = { ...place, head: head.seqno, utime: head.utime }
    }
    for (const notice of listeners) notice()
  }

  /** Most processes that serve need the head at some time, but those that only write do not. */
  const start = (): void => {
    if (listening !== undefined || closed) return
    listening = listenForHead({
      connection,
      begun(begun) {
        line = begun
        heardAt = performance.now()
      },
      noticed,
      lost() {
        line = undefined
        forget()
      },
      isWatched: () => listeners.size > 0,
    })
  }

  const isBehind = ({ epoch, head }: IndexPlace): boolean => {
    const least = floor.at()
    return head < own || (least !== undefined && comparePlaces({ epoch, seqno: head }, least) < 0)
  }

  const askLine = async (on: Line): Promise<IndexPlace | undefined> => {
    const before = news
    const asked = performance.now()
    const [row] = await on.rows<PlaceRow>(PLACE.sql)
    if (row === undefined || line !== on) return undefined
    const found = placeOfRow(row)
    if (news === before) {
      place = found
      heardAt = Math.max(heardAt, asked)
    }
    return isBehind(found) ? undefined : found
  }

  return {
    now() {
      start()
      if (place === undefined || performance.now() - heardAt > ALIVE_MS || isBehind(place)) return undefined
      return place
    },
    ask() {
      start()
      if (line === undefined) return Promise.resolve(undefined)
      return askLine(line).catch(() => undefined)
    },
    onHead(notice) {
      listeners.add(notice)
      start()
      return () => void listeners.delete(notice)
    },
    published(seqno) {
      if (seqno < own) forget()
      own = seqno
    },
    async close() {
      closed = true
      await listening?.close()
    },
  }
}
