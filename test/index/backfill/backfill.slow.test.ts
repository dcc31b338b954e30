import { type Address, beginCell, type Cell } from '@ton/core'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LiteArgs, LiteServer } from '../../../server/chain/liteserver.ts'
import { formatDifference } from '../../../server/index/verify/compare.ts'
import { verifyIndex } from '../../../server/index/verify/verify.ts'
import { TRACE_COMPLETE } from '../../../server/store/codes.ts'
import { INDEX_LOCK, tryLock } from '../../../server/store/postgres/advisory-lock.ts'
import { connect } from '../../../server/store/postgres/connection.ts'
import { type LocalIndex, startLocalIndex } from '../../kit/index/local-index.ts'
import { until } from '../../kit/wait.ts'
import { backfillUpTo, indexUpTo } from '../kit.ts'
import { account, b64, raw } from '../topics/kit.ts'

/* `tonway backfill`: ranges of blocks are derived by several processes and joined in order. */

/** Sends a message back to where it came from, with what is left of its value. */
const returning = (): Cell =>
  beginCell()
    // DROP DROP CTOS, 4 LDU, LDMSGADDR DROP
    .storeUint(0x3030d0d303fa4030n, 64)
    // NEWC, x{18} in 6 bits, the address, 111 zero bits, ENDC
    .storeUint(0xc8801801cb05ce7001cb6ec9n, 96)
    // 64 SENDRAWMSG
    .storeUint(0x8040fb00, 32)
    .endCell()

const [HERE, THERE] = [account(0x71), account(0x72, -1)]
const BLOCKS = 2
const signal = AbortSignal.timeout(280_000)

describe('a backfill in ranges', { timeout: 120_000 }, () => {
  let index: LocalIndex
  let source: LiteServer
  const run = <R>(database: ClientConfig, text: string): Promise<R[]> => index.server.run<R>(database, text)
  const head = (): number => index.local.head!().id.seqno
  const ping = (from: Address, to: Address, value: bigint) =>
    index.call('local.sendInternal', {
      from: raw(from),
      to: raw(to),
      value: String(value),
      body: b64(beginCell().endCell()),
      bounce: false,
    })
  /** Messages go to and fro between the workchains until their value is spent, for many blocks. */
  const play = async (): Promise<void> => {
    await ping(THERE, HERE, 300_000_000n)
    await index.call('local.mine', { count: 1 })
    // On a busy machine the chain is still about it when this call has its answer.
    await until(async () => {
      await index.indexed()
      // The newest trace is the one that was just begun: its first transaction is of this account. A trace without its end is not `is_incomplete`.
      const { traces } = await index.call('v3.traces', { account: raw(HERE), limit: 1 })
      return traces[0]?.trace_info.trace_state === 'complete'
    })
  }
  const verified = async (database: ClientConfig): Promise<readonly string[]> =>
    (await verifyIndex({ source: index.local, connection: database, tvm: index.tvm }, signal)).differences.map(formatDifference)

  beforeAll(async () => {
    index = await startLocalIndex()
    source = index.local
    for (const address of [HERE, THERE])
      await index.call('local.setAccount', { address: raw(address), balance: '1000000000', code: b64(returning()) })
    await play()
  }, 120_000)
  afterAll(() => index?.close())

  it('traces that go over three cuts are whole, and the rows are those of one process', { timeout: 60_000 }, async () => {
    const database = await index.server.database()
    const [to, reached] = [head(), [] as number[]]
    const progress = (seqno: number): void => void reached.push(seqno)
    const { tvm } = index
    // Three at once, one of which wants less: the ranges are shared.
    const ends = [to, to, to - 4]
    await Promise.all(ends.map((end) => backfillUpTo(source, database, end, { size: BLOCKS, tvm, signal, progress })))
    expect(await verified(database)).toEqual([])
    const [longest] = await run<{ from: number; to: number; state: number; nodes: number; classified: number }>(
      database,
      `select mc_seqno_start as from, mc_seqno_end as to, t.state, nodes, facts_seqno as classified
       from traces t join trace_classifications using (trace_id) order by nodes desc limit 1`,
    )
    expect(longest!.state).toBe(TRACE_COMPLETE)
    expect(longest!.nodes).toBeGreaterThan(8)
    expect(Math.floor((longest!.to - 1) / BLOCKS) - Math.floor((longest!.from - 1) / BLOCKS)).toBeGreaterThanOrEqual(3)
    // Readers see whole ranges.
    expect(reached.filter((seqno) => seqno % BLOCKS !== 0 && seqno !== to && seqno !== to - 4)).toEqual([])
    expect(await run(database, 'select from backfill_ranges')).toEqual([])
    expect(await run(database, `select from pg_namespace where nspname like 'tonway%'`)).toEqual([])
  })

  it('the state before a range is requested once for each account that it changes, but not for accounts that begin in it', async () => {
    const database = await index.server.database()
    const [old, fresh] = [raw(account(0x73)), raw(account(0x74))]
    await index.call('local.fund', { address: old, amount: '1000000000' })
    const cut = head()
    for (const address of [fresh, old, fresh, old]) await index.call('local.fund', { address, amount: '1000000000' })
    await index.indexed()
    const asked: string[] = []
    const from: LiteServer = {
      ...source,
      query(fn, args, stop) {
        const { id, account: of } = args as LiteArgs<'getAccountState'>
        if (fn === 'getAccountState' && id.seqno === cut) asked.push(`0:${Buffer.from(of.hash).toString('hex')}`)
        return source.query(fn, args, stop)
      },
    }
    await backfillUpTo(from, database, head(), { size: cut, tvm: index.tvm, signal })
    expect(await verified(database)).toEqual([])
    expect(asked.filter((address) => address === old || address === fresh)).toEqual([old])
  })

  it('a range that a revert of the chain has undone is derived again', { timeout: 60_000 }, async () => {
    const database = await index.server.database()
    const { snapshot } = await index.call('local.snapshot', {})
    const middle = head()
    await play()
    const from: LiteServer = {
      ...source,
      async query(fn, args, stop) {
        // The first range is joined, and the ranges after it are derived.
        const [row] =
          fn === 'lookupBlock'
            ? await run<{ done: boolean }>(database, 'select bool_and(done) as done from backfill_ranges').catch(() => [])
            : []
        if (row?.done === true) throw new Error('the source is gone')
        return source.query(fn, args, stop)
      },
    }
    await expect(backfillUpTo(from, database, head(), { size: middle, tvm: index.tvm, signal })).rejects.toThrow('the source is gone')
    await index.call('local.revert', { snapshot })
    await play()
    await index.call('local.mine', { count: 3 })
    await index.indexed()
    await backfillUpTo(source, database, head(), { size: middle, tvm: index.tvm, signal })
    expect(await verified(database)).toEqual([])
  })

  it('an index that another process keeps is not backfilled, and nobody indexes during a backfill', async () => {
    const database = await index.server.database()
    const leader = await connect(database)
    expect(await tryLock(leader, INDEX_LOCK)).toBe(true)
    const options = { size: BLOCKS, tvm: index.tvm, signal }
    await expect(backfillUpTo(source, database, 4, { ...options, patience: 0 })).rejects.toThrow(
      'another process keeps the index of this database: stop it first',
    )
    await leader.close()

    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: LiteServer = {
      ...source,
      async query(fn, args, stop) {
        if (fn === 'getBlock') await held
        return source.query(fn, args, stop)
      },
    }
    const running = backfillUpTo(slow, database, 4, options)
    await until(async () => (await run(database, 'select from backfill_ranges where owner is not null').catch(() => [])).length > 0)
    const other = await connect(database)
    expect(await tryLock(other, INDEX_LOCK)).toBe(false)
    release()
    await running
    expect(await tryLock(other, INDEX_LOCK)).toBe(true)
    await other.close()
    // The index goes on from there.
    await indexUpTo(source, database, head(), { tvm: index.tvm })
    expect(await verified(database)).toEqual([])
  })

  it('ranges that were left are removed by the process that indexes past them', async () => {
    const database = await index.server.database()
    const { tvm } = index
    await backfillUpTo(source, database, BLOCKS, { size: BLOCKS, tvm, signal })
    const stopping = new AbortController()
    const stuck: LiteServer = {
      ...source,
      async query(fn, args, stop) {
        // A process has claimed the range.
        if (fn === 'getBlock' && (await run(database, 'select from backfill_ranges where owner is not null')).length > 0)
          stopping.abort(new Error('stopped'))
        stop?.throwIfAborted()
        return source.query(fn, args, stop)
      },
    }
    await expect(backfillUpTo(stuck, database, 2 * BLOCKS, { size: BLOCKS, tvm, signal: stopping.signal })).rejects.toThrow()
    expect(await run(database, 'select from backfill_ranges')).toHaveLength(1)
    await indexUpTo(source, database, head(), { tvm })
    await indexUpTo(source, database, head(), { tvm })
    expect(await run(database, 'select from backfill_ranges')).toEqual([])
    expect(await run(database, `select from pg_namespace where nspname like 'tonway%'`)).toEqual([])
  })

  it('an index that lacks the beginning is not backfilled in parallel', async () => {
    const database = await index.server.database()
    const { tvm } = index
    await indexUpTo(source, database, 6, { tvm, from: 3 })
    await expect(backfillUpTo(source, database, 8, { size: BLOCKS, tvm, signal })).rejects.toThrow('the index begins with block 3')
    const limited = await index.server.database()
    await indexUpTo(source, limited, 6, { tvm })
    await run(limited, 'update index_checkpoint set kept_mc_seqno = 4')
    await expect(backfillUpTo(source, limited, 8, { size: BLOCKS, tvm, signal })).rejects.toThrow(
      'the index has removed the blocks before 4',
    )
  })
})
