import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import { pruneHistory } from '../../../server/index/retention/retention.ts'
import { TOPICS } from '../../../server/index/topics/registry.ts'
import { type LocalIndex, startLocalIndex } from '../../kit/index/local-index.ts'
import { sleep, until } from '../../kit/wait.ts'

/* History leaves while blocks are indexed, readers read, and connections are lost. */

describe('history leaves beside everything else', () => {
  let index: LocalIndex
  const stopping = new AbortController()
  let keeping: Promise<void> | undefined
  let first = 0
  const failures: string[] = []
  beforeAll(async () => {
    index = await startLocalIndex()
    keeping = pruneHistory(
      {
        ...{ config: index.database, keep: { blocks: 12 }, reverts: true, isPartial: false, topics: TOPICS },
        onCut: (cut) => {
          first = cut
        },
        log: { ...silentLog, warn: (event: string) => failures.push(event) },
      },
      stopping.signal,
    )
  }, 120_000)
  afterAll(async () => {
    stopping.abort()
    await keeping
    await index?.close()
  })

  const run = <R>(text: string): Promise<R[]> => index.server.run<R>(index.database, text)
  const work = async (rounds: number): Promise<void> => {
    for (let i = 0; i < rounds; i++) {
      await index.call('local.fund', { address: `0:${String(i % 10).repeat(64)}`, amount: '1000000000' })
      await index.call('local.mine', { count: 2 })
    }
    await index.indexed()
  }
  const isClear = async (): Promise<boolean> => {
    const [row] = await run<{ n: string }>(`select count(*) as n from blocks where mc_seqno < (select mc_seqno - 11 from published_head)`)
    const [old] = await run<{ n: string }>(
      'select count(*) as n from traces where mc_seqno_end < (select mc_seqno - 11 from published_head) and state = 1',
    )
    return row!.n === '0' && old!.n === '0'
  }

  it(
    'history leaves while blocks come, also after its connection was cut in the middle, and nothing is left half',
    { timeout: 240_000 },
    async () => {
      await work(20)
      await until(() => first > 0)
      for (let round = 0; round < 5; round++) {
        const working = work(6)
        await sleep(100 * round)
        await run(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tonway-retention' and datname = current_database()`,
        )
        await working
      }
      await until(isClear)
      expect(failures).toContain('index.retention_failed')
      expect(await index.verified()).toEqual([])
    },
  )

  it('a reader that began before still sees what leaves meanwhile', { timeout: 120_000 }, async () => {
    const reader = new Client(index.database)
    await reader.connect()
    try {
      const LTS = `select string_agg(m.tx_lt::text, ' ' order by m.tx_lt) as n from transactions t
        join messages m on m.tx_account = t.account and m.tx_lt = t.lt`
      const lts = async (): Promise<string> => (await reader.query<{ n: string }>(LTS)).rows[0]!.n
      await reader.query('begin isolation level repeatable read read only')
      const before = await lts()
      await work(15)
      await until(isClear)
      expect(await lts()).toBe(before)
      await reader.query('commit')
      expect(await lts()).not.toBe(before)
    } finally {
      await reader.end()
    }
  })
})
