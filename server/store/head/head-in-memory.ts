import type { ClientConfig } from 'pg'
import { comparePositions, type Floor } from '../replicas/floor.ts'
import type { IndexHead, NotifiedHead } from '../schema/head.ts'
import { HEAD_QUERY, type HeadRow, headOfRow } from './index-head.ts'
import { type Line, listenForHead } from './listen.ts'

/*
 * The published head in memory, so that a cached answer needs no query. It is used only while the connection that listens has answered lately. A
 * notification comes a moment after the commit that it announces. So if this process has written or read a later head, the head in memory is not used until it has been read again.
 */

/** Calls `notice` when the head that readers see has changed. Returns a function that stops it. */
export type OnHead = (notice: () => void) => () => void

export interface PresentHead {
  /** The head, if it is certain; undefined if it has to be read from the database. */
  now(): IndexHead | undefined
  /** Reads the head from the database, over the connection that listens. Undefined while there is none, or if it is behind. */
  ask(): Promise<IndexHead | undefined>
  readonly onHead: OnHead
  /** This process has published a block, or has gone back to one. Called before other processes are notified. */
  published(seqno: number): void
  close(): Promise<void>
}

export interface PresentHeadOptions {
  /** How to connect to the database that the index is written to. */
  readonly connection: () => ClientConfig | undefined
  /** The newest head of the answers of this process. */
  readonly floor: Floor
}

/** Milliseconds for which the connection counts as alive after its last message. A connection that is lost without a sign can hide a block that long. */
const ALIVE_MS = 250

export const createPresentHead = ({ connection, floor }: PresentHeadOptions): PresentHead => {
  const listeners = new Set<() => void>()
  let line: Line | undefined
  let place: IndexHead | undefined
  /** Notifications so far. The result of a query that was sent before the last of them may be older than it. */
  let news = 0
  let lastNoticeAt = 0
  /** The block that this process published last. */
  let own = -1
  let closed = false
  let headListener: { close(): Promise<void> } | undefined

  const forget = (): void => {
    news++
    place = undefined
  }

  const onNotification = (head: NotifiedHead | undefined): void => {
    lastNoticeAt = performance.now()
    if (head === undefined || place === undefined) forget()
    else if (head.seqno > place.head) {
      news++
      place = { ...place, head: head.seqno, utime: head.utime }
    }
    for (const notice of listeners) notice()
  }

  /** Most processes that serve need the head at some time, but those that only write do not. */
  const start = (): void => {
    if (headListener !== undefined || closed) return
    headListener = listenForHead({
      connection,
      begun(begun) {
        line = begun
        lastNoticeAt = performance.now()
      },
      onNotification,
      lost() {
        line = undefined
        forget()
      },
      isWatched: () => listeners.size > 0,
    })
  }

  const isBehind = ({ epoch, head }: IndexHead): boolean => {
    const least = floor.at()
    return head < own || (least !== undefined && comparePositions({ epoch, seqno: head }, least) < 0)
  }

  const readOver = async (on: Line): Promise<IndexHead | undefined> => {
    const before = news
    const askedAt = performance.now()
    const [row] = await on.rows<HeadRow>(HEAD_QUERY.sql)
    if (row === undefined || line !== on) return undefined
    const found = headOfRow(row)
    if (news === before) {
      place = found
      lastNoticeAt = Math.max(lastNoticeAt, askedAt)
    }
    return isBehind(found) ? undefined : found
  }

  return {
    now() {
      start()
      if (place === undefined || performance.now() - lastNoticeAt > ALIVE_MS || isBehind(place)) return undefined
      return place
    },
    ask() {
      start()
      if (line === undefined) return Promise.resolve(undefined)
      return readOver(line).catch(() => undefined)
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
      await headListener?.close()
    },
  }
}
