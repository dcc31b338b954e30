import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PresentHead } from '../../server/store/head/head-in-memory.ts'
import type { Reader, RunQuery } from '../../server/store/postgres/reader.ts'
import { readIndex, type View } from '../../server/store/queries/view.ts'

/** A row of the head as the driver returns it. */
interface HeadRow {
  readonly head: number
  readonly epoch: number
  readonly utime: number
  readonly first: number
  readonly network: string
}

const at = (head: number, change: Partial<HeadRow> = {}): HeadRow => ({
  head,
  epoch: 1,
  utime: 1000 + head,
  first: 1,
  network: 'local',
  ...change,
})

const { signal } = new AbortController()
const ROW = { sql: 'row', parameters: [] } as never

/** A server whose snapshots see the given head; it keeps what is sent, and answers when nothing more is sent. */
const createServer = () => {
  const server = {
    head: undefined as HeadRow | undefined,
    snapshots: 0,
    /** Statements by round trip. */
    trips: [] as string[][],
    reader: undefined as unknown as Reader,
  }
  server.reader = {
    rows: async () => [],
    close: async () => {},
    async snapshot(run) {
      server.snapshots++
      const seen = server.head
      let waiting: (() => void)[] = []
      let trip: string[] = []
      const flush = (): void => {
        server.trips.push(trip)
        const ready = waiting
        waiting = []
        trip = []
        for (const answer of ready) answer()
      }
      const rows: RunQuery = (query) =>
        new Promise((resolve) => {
          const { sql } = query as { sql: string }
          if (waiting.length === 0) setImmediate(flush)
          trip.push(sql.includes('published_head') ? 'head' : 'row')
          waiting.push(() => resolve((sql.includes('published_head') ? (seen ? [seen] : []) : [{ of: seen?.head }]) as never))
        })
      return await run(rows)
    },
  }
  return server
}

const readRow = async (view: View) => ({ head: view.head, row: (await view.rows<{ of: number }>(ROW))[0]!.of })

describe('reads of the index', () => {
  let server: ReturnType<typeof createServer>
  beforeAll(() => {
    server = createServer()
  })

  it('a read of the index asks for the head, and then reads below it', async () => {
    server.head = at(7)
    await expect(readIndex(server.reader, signal, readRow)).resolves.toEqual({ head: 7, row: 7 })
    expect(server.trips).toEqual([['head'], ['row']])
  })

  describe('with a head in memory', () => {
    const inMemory = (place: HeadRow | undefined): Reader => ({
      ...server.reader,
      head: { now: () => place && { ...place, isDistributed: false } } as PresentHead,
    })
    beforeEach(() => {
      server.head = at(7)
      server.trips = []
    })

    it('the first statements of a read go together with the query of the head', async () => {
      await expect(readIndex(inMemory(at(7)), signal, readRow)).resolves.toEqual({ head: 7, row: 7 })
      expect(server.trips).toEqual([['head', 'row']])
    })

    it.each([
      ['older', at(6)],
      ['newer', at(8)],
      ['of another epoch', at(7, { epoch: 2 })],
      ['of shorter history', at(7, { first: 3 })],
    ])('a read is run again when the head in memory is %s than that of the snapshot', async (_, place) => {
      const seen: number[] = []
      const readTwice = async (view: View) => {
        const answer = await readRow(view)
        seen.push(view.head)
        return [answer, await readRow(view)]
      }
      const row = { head: 7, row: 7 }
      await expect(readIndex(inMemory(place), signal, readTwice)).resolves.toEqual([row, row])
      // The first read gets no further than its first statements.
      expect(server.trips).toEqual([['head', 'row'], ['row'], ['row']])
      expect(seen.at(-1)).toBe(7)
    })

    it('an error that only the head in memory caused is not told', async () => {
      const fails = async (view: View) => {
        const answer = await readRow(view)
        if (view.head !== 7) throw new Error(`no block ${view.head}`)
        return answer
      }
      await expect(readIndex(inMemory(at(6)), signal, fails)).resolves.toEqual({ head: 7, row: 7 })
      await expect(readIndex(inMemory(undefined), signal, fails)).resolves.toEqual({ head: 7, row: 7 })
    })
  })

  it('a read of the index is refused when the index has no block any more', async () => {
    server.head = undefined
    await expect(readIndex(server.reader, signal, readRow)).rejects.toMatchObject({ kind: 'UNAVAILABLE', retryAfter: 1 })
    const throwing = (): never => {
      throw new Error('at once')
    }
    await expect(readIndex(server.reader, signal, throwing)).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
  })
})
