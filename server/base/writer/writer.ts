import { inOwnTurn, inSharedTurn } from '../yield.ts'
import type { Chunk } from './chunk.ts'
import type { Reader, Unread } from './unread.ts'

/*
 * Writes chunks to one connection as fast as its client reads them: answers and events on a WebSocket, events over SSE. A slow client never delays other
 * clients.
 */

/** Maximum bytes that were passed to a connection but not yet accepted by the system. Further chunks wait in the writer. */
const WINDOW = 64 << 10
/** A replay of past events pauses while more bytes than this are unread. */
const REPLAY_WINDOW = 1 << 20

export type Writer = ReturnType<typeof createWriter>

/** Writes several pieces. `done` is called once, when the system has accepted all of them. */
export type WritePieces = (pieces: readonly Buffer[], done: () => void) => void

export interface WriterDeps {
  readonly unread: Unread
  readonly write: WritePieces
  readonly slow: () => void
}

interface Entry {
  readonly chunk: Chunk
  readonly done: (() => void) | undefined
  /** The entry that waits behind this one. In an array of a hundred thousand entries, the removal of the first ones would move all others. */
  behind: Entry | undefined
}

export const createWriter = ({ unread, write, slow }: WriterDeps) => {
  const { ofConnection, patience } = unread.limits
  /** The first and the last entry that wait. */
  let first: Entry | undefined
  let newest: Entry | undefined
  const sent: (readonly Entry[])[] = []
  let underway = 0
  let isOpen = true
  let last = ''
  let timer: NodeJS.Timeout | undefined
  let roomy: (() => void)[] = []

  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    clearTimeout(timer)
    for (const entry of sent.flat()) end(entry)
    for (let entry = first; entry !== undefined; entry = entry.behind) end(entry)
    first = undefined
    sent.length = 0
    unread.remove(reader)
    wakeReplays()
  }
  const cut = (): void => {
    if (!isOpen) return
    close()
    // A thousand clients may be cut off at once, and each may have a thousand addresses, which take a millisecond to remove.
    void inOwnTurn(slow)
  }
  const reader: Reader = {
    connection: {},
    bytes: 0,
    // Age (ms) of the oldest unread chunk.
    cost: (now) => now - (sent[0]?.[0] ?? first)!.chunk.madeAt,
    cut,
  }
  const end = ({ chunk, done }: Entry): void => {
    unread.release(reader, chunk)
    done?.()
  }
  const isBusy = (): boolean => isOpen && reader.bytes > REPLAY_WINDOW
  const wakeReplays = (): void => {
    if (roomy.length === 0 || isBusy()) return
    const woken = roomy
    roomy = []
    for (const wake of woken) wake()
  }
  const taken = (): void => {
    const entries = sent.shift()
    if (entries === undefined || !isOpen) return
    for (const entry of entries) {
      const { length, cursor } = entry.chunk
      underway -= length
      if (cursor !== '') last = cursor
      end(entry)
    }
    clearTimeout(timer)
    if (sent.length > 0) timer = setTimeout(cut, patience).unref()
    // The system may take chunk after chunk without a turn between.
    inSharedTurn(writer.flush)
    wakeReplays()
  }
  /** Removes and returns the entries that are written next: as many as it takes until WINDOW bytes are on their way. */
  const next = (): Entry[] => {
    const entries: Entry[] = []
    for (; first !== undefined && underway < WINDOW; first = first.behind) {
      underway += first.chunk.length
      entries.push(first)
    }
    return entries
  }
  const writer = {
    /**
     * Adds a chunk. It is written at the end of the event-loop turn, with those that follow in the turn, or soon after that if there are many connections.
     * `done` is called when the system has accepted the chunk, or when the writer is closed.
     */
    push(chunk: Chunk, done?: () => void): void {
      if (!isOpen) return void done?.()
      const { length } = chunk
      // A single chunk is accepted whatever its size. Otherwise the client would be disconnected, reconnect and request the same chunk again and again.
      const fits = reader.bytes === 0 || reader.bytes + length <= ofConnection
      const isNew = chunk.readers === 0
      if (!fits || !unread.makeRoom(isNew ? length : 0, reader)) {
        cut()
        return void done?.()
      }
      unread.hold(reader, chunk)
      const entry: Entry = { chunk, done, behind: undefined }
      if (first === undefined) {
        first = entry
        inSharedTurn(writer.flush)
      } else newest!.behind = entry
      newest = entry
    },
    flush(): void {
      if (!isOpen || first === undefined || underway >= WINDOW) return
      const entries = next()
      if (sent.push(entries) === 1) timer = setTimeout(cut, patience).unref()
      write(
        entries.flatMap(({ chunk }) => chunk.pieces),
        taken,
      )
    },
    /** Resolves when there is room for more of a replay, or when the writer is closed. undefined if there is room now. */
    room: (): Promise<void> | undefined => (isBusy() ? new Promise<void>((resolve) => roomy.push(resolve)) : undefined),
    /** Cursor of the last chunk with a cursor that the system has accepted; '' before the first. */
    last: (): string => last,
    close,
  }
  unread.add(reader)
  return writer
}
