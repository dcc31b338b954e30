import { describe, expect, it } from 'vitest'
import { type Ask, createBuilder, type KnownHead, type Reader } from '../../server/store/postgres/pool.ts'
import { readIndex, type View } from '../../server/store/queries/head.ts'
import { TonError } from '../../shared/errors.ts'

const { signal } = new AbortController()
const ROWS = { sql: 'rows', parameters: [] } as never
const LATE = { sql: 'late', parameters: [] } as never

/** What the rows of the place say. */
const placeOf = (now: { stored: number; published: number; epoch: number; changes: number; settled: number; actions: number }) => ({
  head: now.published,
  utime: '1',
  epoch: String(now.epoch),
  first: 1,
  network: 'local',
  isDistributed: true,
  isSettled: now.stored === now.published && now.changes === now.settled,
  isChanging: now.changes !== now.settled,
  changes: String(now.changes),
  actions: String(now.actions),
  shards: 'here',
})

/** A cluster: each statement sees what is there at its moment, but in a transaction all see what was there at its beginning. */
const createCluster = () => {
  const cluster = {
    /** The newest stored block, the published one, and the value of the rows. */
    now: { stored: 1, published: 1, epoch: 1, changes: 0, settled: 0, actions: 0, value: 'a' },
    /** Runs before each statement that reads rows without a transaction, and before one in a transaction. */
    before: (): void => {},
    within: (): void => {},
    /** How reads were made: 'checks' or 'transaction'. */
    made: [] as string[],
    /** The statements that were sent. */
    sent: [] as string[],
    reader: undefined as unknown as Reader,
    /** Writes a block as the index does: its rows, then its head. */
    store(value: string): void {
      cluster.now = { ...cluster.now, stored: cluster.now.stored + 1, value }
    },
    publish(): void {
      cluster.now = { ...cluster.now, published: cluster.now.stored }
    },
  }
  cluster.reader = {
    sql: createBuilder(),
    rows: async () => [placeOf(cluster.now)] as never[],
    close: async () => {},
    async snapshot(run, _, by) {
      cluster.made.push(by ?? 'transaction')
      const begun = cluster.now
      const rows: Ask = async (query) => {
        const { sql } = query as { sql: string }
        const isRows = sql === 'rows' || sql === 'late'
        cluster.sent.push(isRows ? sql : 'place')
        if (isRows) by === 'checks' ? cluster.before() : cluster.within()
        const now = by === 'checks' ? cluster.now : begun
        return [isRows ? { value: now.value } : placeOf(now)] as never[]
      }
      return await run(rows, {}, by === 'checks' ? {} : undefined)
    },
  }
  return cluster
}

/** A reader of the same that asks nodes. `known`: what it knows of the head from one read to the next. */
const spreadReader = ({ reader }: ReturnType<typeof createCluster>, known: KnownHead): Reader => ({
  ...reader,
  snapshot: (run, stop, by) =>
    reader.snapshot((rows, _, loose) => run(rows, known, loose && { spread: { version: 'here', rows, doubt: () => {} } }), stop, by),
})

const twice = async (view: View): Promise<readonly string[]> => {
  const [first] = await view.rows<{ value: string }>(ROWS)
  const [second] = await view.rows<{ value: string }>(ROWS)
  return [first!.value, second!.value, String(view.head)]
}

describe('reads of a cluster without a transaction', () => {
  it('a read of a cluster needs no transaction while nothing is written', async () => {
    const cluster = createCluster()
    expect(await readIndex(cluster.reader, signal, twice)).toEqual(['a', 'a', '1'])
    expect(cluster.made).toEqual(['checks'])
  })

  it('a read of a cluster is made again in a transaction if a block was stored between its statements', async () => {
    const cluster = createCluster()
    let reads = 0
    cluster.before = () => {
      if (++reads === 2) cluster.store('b')
    }
    expect(await readIndex(cluster.reader, signal, twice)).toEqual(['b', 'b', '1'])
    expect(cluster.made).toEqual(['checks', 'transaction'])
  })

  it('a read of a cluster is made again if a block was stored and published between its statements, or the chain reverted', async () => {
    const cluster = createCluster()
    let reads = 0
    cluster.before = () => {
      if (++reads === 2) {
        cluster.store('b')
        cluster.publish()
      }
    }
    expect(await readIndex(cluster.reader, signal, twice)).toEqual(['b', 'b', '2'])
    const reverted = createCluster()
    reverted.before = () => {
      reverted.now = { ...reverted.now, epoch: 2, value: 'c' }
    }
    expect(await readIndex(reverted.reader, signal, twice)).toEqual(['c', 'c', '1'])
    expect([...cluster.made, ...reverted.made]).toEqual(['checks', 'transaction', 'checks', 'transaction'])
  })

  it('a read of a cluster is made in a transaction while a block is being committed, and so are those just after it', async () => {
    const cluster = createCluster()
    cluster.store('b')
    expect(await readIndex(cluster.reader, signal, twice)).toEqual(['b', 'b', '1'])
    cluster.publish()
    await readIndex(cluster.reader, signal, twice)
    expect(cluster.made).toEqual(['checks', 'transaction', 'transaction'])
  })

  it('a cluster does not tell what was missing between two moments, and tells what is missing at one', async () => {
    const cluster = createCluster()
    const find = async (view: View): Promise<string> => {
      const [first, second] = await twice(view)
      if (first !== second || first === 'z') throw new TonError('NOT_FOUND', 'not there')
      return first!
    }
    let reads = 0
    cluster.before = () => {
      if (++reads === 2) cluster.store('z')
    }
    await expect(readIndex(cluster.reader, signal, find)).rejects.toThrow('not there')
    expect(cluster.made).toEqual(['checks', 'transaction'])
    const quiet = createCluster()
    quiet.now = { ...quiet.now, value: 'z' }
    await expect(readIndex(quiet.reader, signal, find)).rejects.toThrow('not there')
    expect(quiet.made).toEqual(['checks'])
  })

  it('what has to be checked after a read is checked while its answer is made', async () => {
    const cluster = createCluster()
    const read = async (view: View): Promise<readonly string[]> => {
      const found = await twice(view)
      view.complete()
      await new Promise((resolve) => setImmediate(resolve))
      // It is too late for this answer.
      cluster.store('b')
      return found
    }
    expect(await readIndex(cluster.reader, signal, read)).toEqual(['a', 'a', '1'])
    expect(cluster.made).toEqual(['checks'])
  })

  it('a read that goes on after it was complete is checked again', async () => {
    const cluster = createCluster()
    const read = async (view: View): Promise<readonly string[]> => {
      const [first] = await view.rows<{ value: string }>(ROWS)
      view.complete()
      await new Promise((resolve) => setImmediate(resolve))
      if (cluster.made.length === 1) cluster.store('b')
      const [second] = await view.shards<{ value: string }>(ROWS)
      view.complete()
      return [first!.value, second!.value]
    }
    expect(await readIndex(cluster.reader, signal, read)).toEqual(['b', 'b'])
    expect(cluster.made).toEqual(['checks', 'transaction'])
  })

  it('the check after a read begins when the last of its reads is answered', async () => {
    const cluster = createCluster()
    const read = async (view: View): Promise<readonly string[]> => {
      await view.rows(ROWS)
      view.expectLast()
      const [[first], [second]] = await Promise.all([view.rows<{ value: string }>(ROWS), view.rows<{ value: string }>(ROWS)])
      // It is too late for this answer.
      cluster.store('b')
      return [first!.value, second!.value]
    }
    expect(await readIndex(cluster.reader, signal, read)).toEqual(['a', 'a'])
    expect(cluster.made).toEqual(['checks'])
  })

  it('a read that goes on after what it expected to be the last is checked again', async () => {
    const cluster = createCluster()
    const read = async (view: View): Promise<readonly string[]> => {
      view.expectLast()
      const [first] = await view.rows<{ value: string }>(ROWS)
      if (cluster.made.length === 1) cluster.store('b')
      const [second] = await view.shards<{ value: string }>(ROWS)
      return [first!.value, second!.value]
    }
    expect(await readIndex(cluster.reader, signal, read)).toEqual(['b', 'b'])
    expect(cluster.made).toEqual(['checks', 'transaction'])
  })

  it('what the check after a read found is not asked for before the next one, until the index is elsewhere', async () => {
    const cluster = createCluster()
    const known = {}
    const read = (): Promise<readonly string[]> => readIndex(spreadReader(cluster, known), signal, twice)
    await read()
    cluster.sent = []
    expect(await read()).toEqual(['a', 'a', '1'])
    expect(cluster.sent).toEqual(['rows', 'rows', 'place'])
    cluster.store('b')
    cluster.publish()
    cluster.made = []
    expect(await read()).toEqual(['b', 'b', '2'])
    expect(cluster.made).toEqual(['checks', 'checks'])
  })

  it('a block that is stored after a check is met by the next one, and the read is made in a transaction', async () => {
    const cluster = createCluster()
    const known = {}
    const read = (): Promise<readonly string[]> => readIndex(spreadReader(cluster, known), signal, twice)
    await read()
    cluster.store('b')
    cluster.made = []
    expect(await read()).toEqual(['b', 'b', '1'])
    expect(cluster.made).toEqual(['checks', 'transaction'])
  })

  it('actions that were derived anew after a check make the next read begin again', async () => {
    const cluster = createCluster()
    const known = {}
    const read = (): Promise<readonly string[]> => readIndex(spreadReader(cluster, known), signal, twice)
    await read()
    cluster.now = { ...cluster.now, actions: 1, value: 'd' }
    cluster.made = []
    expect(await read()).toEqual(['d', 'd', '1'])
    expect(cluster.made).toEqual(['checks', 'checks'])
  })

  it.each([
    ['a revert', { epoch: 2, changes: 1, settled: 1 }],
    ['removed history', { changes: 1, settled: 1 }],
  ])('%s after a check makes the next read begin again', async (_, change) => {
    const cluster = createCluster()
    const known = {}
    const read = (): Promise<readonly string[]> => readIndex(spreadReader(cluster, known), signal, twice)
    await read()
    let reads = 0
    cluster.before = () => {
      if (++reads === 2) cluster.now = { ...cluster.now, ...change, value: 'c' }
    }
    expect(await read()).toEqual(['c', 'c', '1'])
  })

  it('what is asked for late leaves with the check, after all other reads', async () => {
    const cluster = createCluster()
    const find = async (view: View): Promise<void> => {
      await view.rows(ROWS)
      view.expectLast()
      cluster.sent = []
      await Promise.all([view.late(LATE), view.rows(ROWS)])
    }
    await readIndex(spreadReader(cluster, {}), signal, find)
    expect(cluster.sent).toEqual(['rows', 'late', 'place'])
  })

  it('what is asked for late leaves at once where it is the only read, and what follows it is checked', async () => {
    const cluster = createCluster()
    const find = async (view: View): Promise<readonly string[]> => {
      view.expectLast()
      const [first] = await view.late<{ value: string }>(LATE)
      if (cluster.made.length === 1) cluster.store('b')
      const [second] = await view.rows<{ value: string }>(ROWS)
      return [first!.value, second!.value]
    }
    expect(await readIndex(spreadReader(cluster, {}), signal, find)).toEqual(['b', 'b'])
    expect(cluster.made).toEqual(['checks', 'transaction'])
  })

  it('an answer that reads on while it is sent is read in a transaction', async () => {
    const cluster = createCluster()
    const read = async (view: View): Promise<readonly string[]> => {
      const found = await twice(view)
      view.hold()
      return found
    }
    expect(await readIndex(cluster.reader, signal, read)).toEqual(['a', 'a', '1'])
    expect(cluster.made).toEqual(['checks', 'transaction'])
  })

  it('a read waits until a change that no block makes is committed on all nodes', async () => {
    const cluster = createCluster()
    cluster.now = { ...cluster.now, changes: 1, value: 'half' }
    setTimeout(() => {
      cluster.now = { ...cluster.now, settled: 1, value: 'whole' }
    }, 50)
    expect(await readIndex(cluster.reader, signal, twice)).toEqual(['whole', 'whole', '1'])
    expect(cluster.made.length).toBeGreaterThan(2)
  })

  it('a read is refused while a change stays unfinished, and ends with its caller', { timeout: 10_000 }, async () => {
    const cluster = createCluster()
    cluster.now = { ...cluster.now, changes: 1 }
    await expect(readIndex(cluster.reader, signal, twice)).rejects.toThrow('the index is being changed')
    const reason = new Error('the caller has no more time')
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(reason), 50)
    await expect(readIndex(cluster.reader, leaving.signal, twice)).rejects.toBe(reason)
  })

  it('a read in a transaction is made again if history was removed, or the chain reverted, while it ran', async () => {
    for (const change of [{ changes: 1, settled: 1 }, { epoch: 2 }]) {
      const cluster = createCluster()
      cluster.store('b')
      let reads = 0
      cluster.within = () => {
        if (++reads === 2) cluster.now = { ...cluster.now, ...change, value: 'c' }
      }
      const told: string[] = []
      const finish = (found: readonly string[]) => {
        told.push(found[0]!)
        return found
      }
      expect(await readIndex(cluster.reader, signal, twice, finish)).toEqual(['c', 'c', '1'])
      expect(told).toEqual(['c'])
      expect(cluster.made).toEqual(['checks', 'transaction', 'transaction'])
    }
  })

  it('a read during which history is removed without end is told at its third try', async () => {
    const cluster = createCluster()
    cluster.store('b')
    cluster.within = () => {
      const changes = cluster.now.changes + 1
      cluster.now = { ...cluster.now, changes, settled: changes }
    }
    expect(await readIndex(cluster.reader, signal, twice)).toEqual(['b', 'b', '1'])
    expect(cluster.made).toEqual(['checks', 'transaction', 'transaction', 'transaction'])
  })

  it('nothing is remembered of a read that saw two moments', async () => {
    const cluster = createCluster()
    let reads = 0
    cluster.before = () => {
      if (++reads === 2) cluster.store('b')
    }
    const memories: Map<string, unknown>[] = []
    const remember = async (view: View): Promise<void> => {
      const [value] = await twice(view)
      view.keep(() => view.memory.set('value', value))
      memories.push(view.memory)
      await twice(view)
    }
    await readIndex(cluster.reader, signal, remember)
    expect(memories.map((memory) => memory.get('value'))).toEqual([undefined, 'b'])
  })
})
