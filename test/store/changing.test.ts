import { describe, expect, it } from 'vitest'
import type { Reader, RunQuery } from '../../server/store/postgres/reader.ts'
import { readIndex, type View } from '../../server/store/queries/view.ts'

/*
 * Reverts and removed history on a Citus cluster, as readers meet them: each node shows them at a moment of its own. What a node shows when is up to the test here; a real cluster, stopped in
 * the middle of a commit, has test/store/servers/half-committed.slow.test.ts.
 */

const { signal } = new AbortController()
const ROWS = { sql: 'rows', parameters: [] } as never

/** A database of which readers see `now`. */
const createDatabase = (isDistributed: boolean) => {
  const database = {
    /** `begun` and `ended`: which change was committed last, and which is on all nodes. */
    now: { epoch: 1, begun: 0, ended: 0, value: 'a' },
    /** Runs before each statement that reads rows. */
    before: (): void => {},
    reads: 0,
    /** One change that is on all nodes at once. */
    change(value: string): void {
      const at = database.now.begun + 1
      database.now = { ...database.now, begun: at, ended: at, value }
    },
    reader: undefined as unknown as Reader,
  }
  const rows: RunQuery = async (query) => {
    if ((query as { sql: string }).sql === 'rows') {
      database.before()
      return [{ value: database.now.value }] as never[]
    }
    const { epoch, begun, ended } = database.now
    const row = { head: 1, utime: '1', epoch: String(epoch), first: 1, network: 'local', isDistributed }
    return [{ ...row, isChanging: begun !== ended, changes: String(begun) }] as never[]
  }
  database.reader = {
    rows: (query) => rows(query),
    close: async () => {},
    async snapshot(run) {
      database.reads++
      return await run(rows)
    },
  }
  return database
}

const twice = async (view: View): Promise<string> => {
  const [first] = await view.rows<{ value: string }>(ROWS)
  const [second] = await view.rows<{ value: string }>(ROWS)
  return `${first!.value}${second!.value}`
}

/** Runs `change` before the second statement of each of the first `times` reads. */
const between = (database: ReturnType<typeof createDatabase>, times: number, change: (read: number) => void): void => {
  let statements = 0
  database.before = () => {
    const read = Math.ceil(++statements / 2)
    if (statements % 2 === 0 && read <= times) change(read)
  }
}

describe('changes that no block makes, on a cluster', () => {
  it('a read waits until a change is on all nodes', async () => {
    const database = createDatabase(true)
    database.now = { ...database.now, begun: 1, value: 'half' }
    setTimeout(() => {
      database.now = { ...database.now, ended: 1, value: 'whole' }
    }, 50)
    expect(await readIndex(database.reader, signal, twice)).toBe('wholewhole')
    expect(database.reads).toBeGreaterThan(1)
  })

  it('a read is refused while a change stays unfinished, and ends with its caller', { timeout: 10_000 }, async () => {
    const database = createDatabase(true)
    database.now = { ...database.now, begun: 1 }
    await expect(readIndex(database.reader, signal, twice)).rejects.toMatchObject({
      kind: 'UNAVAILABLE',
      message: expect.stringContaining('the index is being changed'),
    })
    const reason = new Error('the caller has no more time')
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(reason), 50)
    await expect(readIndex(database.reader, leaving.signal, twice)).rejects.toBe(reason)
  })

  it.each([
    ['history was removed', (database: ReturnType<typeof createDatabase>) => database.change('b')],
    [
      'the chain was reverted',
      (database: ReturnType<typeof createDatabase>) => {
        database.now = { ...database.now, epoch: 2, value: 'b' }
      },
    ],
  ])('a read is made again if %s while it ran, and tells nothing of the first time', async (_, change) => {
    const database = createDatabase(true)
    between(database, 1, () => change(database))
    const told: string[] = []
    const finish = (found: string): string => {
      told.push(found)
      return found
    }
    expect(await readIndex(database.reader, signal, twice, finish)).toBe('bb')
    expect([told, database.reads]).toEqual([['bb'], 2])
  })

  it('a read that met changes twice is refused', async () => {
    const database = createDatabase(true)
    between(database, 2, (read) => database.change(String(read)))
    await expect(readIndex(database.reader, signal, twice)).rejects.toMatchObject({ kind: 'UNAVAILABLE', retryAfter: 1 })
    expect(database.reads).toBe(2)
  })

  it('an answer that is read while it is sent is not read again', async () => {
    const database = createDatabase(true)
    between(database, 2, () => database.change('b'))
    const read = (view: View): Promise<string> => {
      view.hold()
      return twice(view)
    }
    expect(await readIndex(database.reader, signal, read)).toBe('ab')
    expect(database.reads).toBe(1)
  })

  it('plain PostgreSQL, whose snapshot is of one moment, is neither waited for nor read again', async () => {
    const database = createDatabase(false)
    database.now = { ...database.now, begun: 1 }
    between(database, 1, () => database.change('b'))
    expect(await readIndex(database.reader, signal, twice)).toBe('ab')
    expect(database.reads).toBe(1)
  })
})
