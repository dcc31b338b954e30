import type { ClientConfig } from 'pg'
import { comparePositions, type Floor } from '../replicas/floor.ts'
import type { IndexHead, NotifiedHead } from '../schema/head.ts'
import { HEAD_QUERY, type HeadRow, headOfRow } from './index-head.ts'
import { type Line, listenForHead } from './listen.ts'

/*
 * Caches the published head, so that a cached answer needs no query. The cached head is used only if the listening connection received something within
 * ALIVE_MS, and only until this process has written or read a later head: notifications arrive a moment after their commit.
 */

/** Calls `notice` after each change of the published head. Returns a function that unsubscribes `notice`. */
export type OnHead = (notice: () => void) => () => void

export interface PresentHead {
  /** Returns the cached head; undefined if it may be outdated. The caller then queries the head. */
  now(): IndexHead | undefined
  /** Queries the head. Undefined if there is no listening connection, or if the result is older than a head that this process has used. */
  ask(): Promise<IndexHead | undefined>
  readonly onHead: OnHead
  /** Records that this process has published block `seqno` or has reverted to it. Called before other processes are notified. */
  published(seqno: number): void
  close(): Promise<void>
}

export interface PresentHeadOptions {
  /** Settings of the database that is written to, not of a replica. */
  readonly connection: () => ClientConfig | undefined
  readonly floor: Floor
}

/**
 * Milliseconds for which the cached head is used after the last message on the connection. If the connection breaks without an error, a new block can stay
 * unnoticed for this long.
 */
const ALIVE_MS = 250

export const createPresentHead = ({ connection, floor }: PresentHeadOptions): PresentHead => {
  const listeners = new Set<() => void>()
  let line: Line | undefined
  let place: IndexHead | undefined
  /** Number of notifications. If it has grown during a query of the head, the result may be outdated. */
  let news = 0
  let lastNoticeAt = 0
  /** Seqno of the block that this process published last. */
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

  /** Begins to listen at the first use, because a process that only writes does not need the head. */
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
