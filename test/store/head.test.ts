import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Ask, KnownHead, Reader } from '../../server/store/postgres/pool.ts'
import { createBuilder } from '../../server/store/postgres/pool.ts'
import { readIndex, remembered, type View } from '../../server/store/queries/head.ts'
import { TonError } from '../../shared/errors.ts'

/** A row of the head as the driver returns it. */
interface HeadRow {
  readonly head: number
  readonly epoch: string
  readonly utime: string
  readonly first: number
  readonly network: string
}

const at = (head: number, change: Partial<HeadRow> = {}): HeadRow => ({
  head,
  epoch: '1',
  utime: String(1000 + head),
  first: 1,
  network: 'local',
  ...change,
})

const { signal } = new AbortController()
const ROW = { sql: 'row', parameters: [] } as never
const WRONG = { sql: 'wrong', parameters: [] } as never

/** A server whose snapshots see the given head; it keeps what is sent, and answers when nothing more is sent. */
const createServer = () => {
  const known: KnownHead = {}
  const server = {
    head: undefined as HeadRow | undefined,
    snapshots: 0,
    /** Snapshots see the head before it, and ask for it after it. */
    gate: Promise.resolve(),
    /** Statements by round trip. */
    trips: [] as string[][],
    reader: undefined as unknown as Reader,
  }
  server.reader = {
    sql: createBuilder(),
    rows: async () => [],
    close: async () => {},
    async snapshot(run) {
      server.snapshots++
      const seen = server.head
      await server.gate
      let waiting: (() => void)[] = []
      let trip: string[] = []
      const flush = (): void => {
        server.trips.push(trip)
        const ready = waiting
        waiting = []
        trip = []
        for (const answer of ready) answer()
      }
      const rows: Ask = (query) =>
        new Promise((resolve, reject) => {
          const { sql } = query as { sql: string }
          if (waiting.length === 0) setImmediate(flush)
          trip.push(sql.includes('published_head') ? 'head' : 'row')
          if (sql === 'wrong') waiting.push(() => reject(new Error('a statement failed')))
          else waiting.push(() => resolve((sql.includes('published_head') ? (seen ? [seen] : []) : [{ of: seen?.head }]) as never))
        })
      return await run(rows, known)
    },
  }
  return server
}

const readRow = async (view: View) => ({ head: view.head, row: (await view.rows<{ of: number }>(ROW))[0]!.of })

describe('reads of the index', () => {
  let server: ReturnType<typeof createServer>
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
    server = createServer()
  })
  afterAll(() => {
    vi.useRealTimers()
  })

  it('a read of the index asks for the head together with its first statement once a head is known', async () => {
    server.head = at(7)
    await expect(readIndex(server.reader, signal, readRow)).resolves.toEqual({ head: 7, row: 7 })
    expect(server.trips).toEqual([['head'], ['row']])
    server.trips = []
    await expect(readIndex(server.reader, signal, readRow)).resolves.toEqual({ head: 7, row: 7 })
    expect(server.trips).toEqual([['head', 'row']])
  })

  it('a read of the index does not suppose a head that was seen long ago', async () => {
    vi.advanceTimersByTime(1_000)
    server.trips = []
    await readIndex(server.reader, signal, readRow)
    await readIndex(server.reader, signal, readRow)
    expect(server.trips).toEqual([['head'], ['row'], ['head', 'row']])
  })

  it.each([
    ['a later block', at(8)],
    ['another chain with the same height', at(8, { epoch: '2' })],
    ['a lower block after a revert', at(5, { epoch: '3' })],
    ['history that has left', at(5, { epoch: '3', first: 3 })],
    ['another time of the same block', at(5, { epoch: '3', first: 3, utime: '9' })],
  ])('a read of the index is made again with the head that the snapshot sees: %s', async (_, head) => {
    server.head = head
    server.snapshots = 0
    let told = 0
    const seen: number[] = []
    const read = (view: View) => {
      seen.push(view.head)
      return readRow(view)
    }
    const answer = await readIndex(server.reader, signal, read, (found, view) => {
      told++
      return { ...found, epoch: view.epoch, first: view.first, utime: view.utime }
    })
    expect(answer).toEqual({ head: head.head, row: head.head, epoch: Number(head.epoch), first: head.first, utime: Number(head.utime) })
    expect(told).toBe(1)
    expect(seen).toHaveLength(2)
    expect(server.snapshots).toBe(1)
  })

  it('a read of the index is made again in another snapshot if a statement below the supposed head failed', async () => {
    server.head = at(6, { epoch: '3' })
    server.snapshots = 0
    const answer = await readIndex(server.reader, signal, async (view) => {
      if (view.head !== 6) await view.rows(WRONG)
      return readRow(view)
    })
    expect([answer, server.snapshots]).toEqual([{ head: 6, row: 6 }, 2])
  })

  it('a read of the index that ends late does not bring an older head back', async () => {
    let open = (): void => {}
    server.gate = new Promise((resolve) => {
      open = resolve
    })
    const late = readIndex(server.reader, signal, readRow)
    server.gate = Promise.resolve()
    server.head = at(7, { epoch: '3' })
    await readIndex(server.reader, signal, readRow)
    open()
    expect(await late).toEqual({ head: 6, row: 6 })
    server.trips = []
    expect(await readIndex(server.reader, signal, readRow)).toEqual({ head: 7, row: 7 })
    expect(server.trips).toEqual([['head', 'row']])
  })

  it('a read of the index does not tell what it did not find below another head', async () => {
    server.head = at(20, { epoch: '4' })
    await readIndex(server.reader, signal, readRow)
    server.head = at(21, { epoch: '4' })
    const answer = await readIndex(server.reader, signal, async (view) => {
      if (view.head === 20) {
        await view.rows(ROW)
        await view.rows(ROW)
        throw new TonError('NOT_FOUND', 'not there')
      }
      return readRow(view)
    })
    expect(answer).toEqual({ head: 21, row: 21 })
  })

  it('a read of the index tells its own error when the head is the supposed one', async () => {
    const missing = readIndex(server.reader, signal, async (view) => {
      await view.rows(ROW)
      throw new TonError('NOT_FOUND', `nothing up to ${view.head}`)
    })
    await expect(missing).rejects.toMatchObject({ kind: 'NOT_FOUND', message: 'nothing up to 21' })
  })

  it('a read of the index remembers what was read until the head is another one, and nothing of a read that was thrown away', async () => {
    const name = async (view: View): Promise<number> => {
      const names = remembered<number>(view, 'names')
      const known = names.get('a')
      if (known !== undefined) return known
      const { row } = await readRow(view)
      view.keep(() => void names.set('a', row))
      return row
    }
    const trips = async (): Promise<number> => {
      server.trips = []
      await readIndex(server.reader, signal, name)
      return server.trips.flat().filter((each) => each === 'row').length
    }
    server.head = at(30, { epoch: '4' })
    expect(await trips()).toBeGreaterThan(0)
    expect(await trips()).toBe(0)
    server.head = at(30, { epoch: '5' })
    await expect(readIndex(server.reader, signal, name)).resolves.toBe(30)
    server.head = at(31, { epoch: '5' })
    await expect(readIndex(server.reader, signal, name)).resolves.toBe(31)
    expect(await trips()).toBe(0)
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
