import type { ClientConfig } from 'pg'
import { comparePositions, type Floor } from '../replicas/floor.ts'
import type { IndexHead, NotifiedHead } from '../schema/head.ts'
import { HEAD_QUERY, type HeadRow, headOfRow } from './index-head.ts'
import { type Line, listenForHead } from './listen.ts'

/*
 * The published head in memory, so that a cached answer needs no query. The head in memory is used only if the listening connection has received something
 * within ALIVE_MS. A notification arrives a moment after its commit. If this process has already written or read a later head, the head in memory is therefore
 * not used until it is reloaded.
 */

/** Subscribes `notice` to changes of the published head. Returns a function that unsubscribes it. */
export type OnHead = (notice: () => void) => () => void

export interface PresentHead {
  /** The head in memory; undefined if it may be old, so that the caller has to query it. */
  now(): IndexHead | undefined
  /**
   * Queries the head on the listening connection. Undefined if there is no such connection, or if the result is older than a head that this process has used.
   */
  ask(): Promise<IndexHead | undefined>
  readonly onHead: OnHead
  /** Records that this process has published a block or has reverted to one. Called before other processes are notified. */
  published(seqno: number): void
  close(): Promise<void>
}

export interface PresentHeadOptions {
  /** Returns the settings of the database that the index is written to. */
  readonly connection: () => ClientConfig | undefined
  /** The newest head that an answer of this process has used. */
  readonly floor: Floor
}

/**
 * Milliseconds after its last message for which the connection counts as alive. If the connection breaks without an error, a new block can stay unnoticed for
 * this long.
 */
const ALIVE_MS = 250

export const createPresentHead = ({ connection, floor }: PresentHeadOptions): PresentHead => {
  const listeners = new Set<() => void>()
  let line: Line | undefined
  let place: IndexHead | undefined
  /** Number of notifications. If it has grown while a query of the head ran, the result of the query may be outdated. */
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

  /** Started on first use, because a process that only writes does not need the head. */
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
