import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import type { LiteFunction, LiteServer } from '../../server/chain/liteserver.ts'
import { exitCodeOf, runCli } from '../../server/cli/cli.ts'
import { networkConfigs } from '../../server/config/networks.ts'
import { createRangeTables } from '../../server/index/backfill/range-schema.ts'
import { chainUpTo } from '../../server/index/follow/end-chain-at.ts'
import { runRange } from '../../server/network/index-range.ts'
import { INDEX_LOCK, tryLock } from '../../server/store/postgres/advisory-lock.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { indexUpTo } from '../index/kit.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { rpc } from '../kit/service/client.ts'
import { builtService } from '../kit/service/process.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { until } from '../kit/wait.ts'
import { configOf, listen, runWith } from './kit.ts'

/* `tonway index --from --to`, over the lite-server of a chain of 130 blocks: long enough for the index's thread. */

const CHAIN = 130

describe('a range', () => {
  let server: TestServer
  let maker: Tonway
  let tvm: Tvm
  const mine = (count: number) => rpc(maker.url, 'local.mine', { count })
  beforeAll(async () => {
    server = await startTestServer()
    tvm = createTestTvm({ workers: 1 })
    maker = await startTonway({ blockTime: 0, liteserverPort: 0, index: false })
    await mine(CHAIN - maker.app.network.chain.head().id.seqno)
  })
  afterAll(async () => {
    await maker?.close()
    await tvm?.close()
    await server?.close()
  })

  const settings = (connection: ClientConfig): string[] => [
    ...['--network', 'copy', '--global-config', `${maker.url}/global.config.json`],
    ...['--database-url', urlOf(connection), '--log', 'silent'],
  ]
  /** The program itself. */
  const run = (connection: ClientConfig, command: string, ...argv: readonly string[]) =>
    builtService.start([command, ...settings(connection), ...argv]).ended
  /** The same command in this process, which takes a second less: for what is refused, or is there already. */
  const runHere = async (connection: ClientConfig, command: string, ...argv: readonly string[]) => {
    const { code, out, err } = await runWith((streams) => runCli([command, ...settings(connection), ...argv], {}, streams))
    return { code, out, err: err.join('\n') }
  }
  /** A range in this process, drawing. */
  const direct = (connection: ClientConfig, from: number, to: number) => {
    const { streams, ...said } = listen()
    const stop = new AbortController()
    const config = configOf(...settings(connection), '--index-from', String(from))
    const command = { ...streams, log: silentLog, signal: stop.signal, tvm }
    const code = exitCodeOf(() => runRange(networkConfigs(config)[0]!, config, to, command), streams)
    return { code, ...said, stop: () => stop.abort(new Error('stopped')) }
  }
  const place = async (connection: ClientConfig): Promise<readonly number[]> => {
    const [row] = await server.run<{ place: number[] }>(
      connection,
      `select array[first_mc_seqno, c.mc_seqno, h.mc_seqno, (select max(seqno) from blocks where workchain = -1)] as place
       from index_checkpoint c, published_head h`,
    )
    return row?.place ?? []
  }

  it('a range is indexed up to its end, is continued from where it is, and equals what verify derives', async () => {
    const connection = await server.database()
    expect(await run(connection, 'index', '--from', '20', '--to', '100')).toEqual({
      code: 0,
      out: 'blocks 20 to 100 are indexed\n',
      err: '',
    })
    expect(await place(connection)).toEqual([20, 100, 100, 100])
    expect(await run(connection, 'index', '--from', '20', '--to', '110')).toMatchObject({ code: 0, err: '' })
    expect(await run(connection, 'index', '--to', '110')).toEqual({
      code: 0,
      out: 'blocks 20 to 110 are indexed already: the index goes to block 110\n',
      err: '',
    })
    expect(await place(connection)).toEqual([20, 110, 110, 110])
    const right = await run(connection, 'verify')
    expect(right).toEqual({ code: 0, out: expect.stringMatching(/^blocks 20 to 110: \d+ rows, 0 differences\n$/), err: '' })
    await server.run(connection, 'update published_head set mc_seqno = 610')
    const wrong = await run(connection, 'verify')
    expect(wrong).toMatchObject({ code: 1, err: '' })
    expect(wrong.out).toMatch(/^published_head 1: mc_seqno is 610, the blocks say 110\nblocks 20 to 110: \d+ rows, 1 differences\n$/)

    for (const [argv, text] of [
      [['--to', '10'], /the index begins with block 20, after --to 10/],
      [['--from', '5', '--to', '120'], /the index begins with block 20: to begin with 5 give another DATABASE_URL/],
    ] as const) {
      expect(await runHere(connection, 'index', ...argv)).toEqual({ code: 1, out: [], err: expect.stringMatching(text) })
    }
    // It is further on: what was asked for is there.
    for (const argv of [
      ['--to', '109'],
      ['--from', '20', '--to', '30'],
    ])
      expect(await runHere(connection, 'index', ...argv)).toEqual({
        code: 0,
        out: [expect.stringMatching(/^blocks 20 to (109|30) are indexed already: the index goes to block 110$/)],
        err: '',
      })
    expect(await runHere(connection, 'index', '--from', '5', '--to', '30')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the index begins with block 20/),
    })
    expect(await place(connection)).toEqual([20, 110, 610, 110])
    // What has left does not come back.
    await server.run(connection, 'update index_checkpoint set kept_mc_seqno = 60')
    expect(await runHere(connection, 'index', '--from', '20', '--to', '110')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the index begins with block 60: to begin with 20 give another DATABASE_URL/),
    })
    expect(await runHere(connection, 'index', '--to', '110')).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/^blocks 60 to 110 are indexed already/)],
    })
  })

  it('the command draws its bar while it indexes a range', async () => {
    const connection = await server.database()
    // The first block waits to be written.
    const holder = await connect(connection)
    await holder.script('begin; lock table blocks in share mode')
    const { code, out, drawn } = direct(connection, 100, 120)
    await expect.poll(() => drawn).toContain('index [........................] 99 of 120, ...')
    await holder.close()
    expect(await code).toBe(0)
    expect(out).toEqual(['blocks 100 to 120 are indexed'])
    expect(drawn.at(-1)).toBe('')
  })

  it('a range beyond the head is waited for, and continued at the next start', async () => {
    const connection = await server.database()
    const to = CHAIN + 5
    const first = direct(connection, 100, to)
    await expect.poll(async () => (await place(connection).catch(() => []))[2]).toBe(CHAIN)
    first.stop()
    expect(await first.code).toBe(1)
    expect(first.err).toEqual([
      `tonway: not indexed up to block ${to}: stopped (it is at block ${CHAIN}, and goes on from there at the next start)`,
    ])
    await mine(10)
    expect(await direct(connection, 100, to).code).toBe(0)
    expect(await place(connection)).toEqual([100, to, to, to])
    expect(await run(connection, 'verify')).toMatchObject({ code: 0 })
  })

  it('a range is not indexed while another process does it', async () => {
    const connection = await server.database()
    const leader = await connect(connection)
    expect(await tryLock(leader, INDEX_LOCK)).toBe(true)
    const { code, err } = direct(connection, 1, 5)
    expect(await code).toBe(1)
    expect(err).toEqual([expect.stringMatching(/another process keeps the index/)])
    await leader.close()
  })

  it.each([
    [['--from', '9', '--to', '8'], 2, /^tonway: --to 8 is before --from 9$/m],
    [['--to', 'all'], 2, /--to="all" must be a seqno, a whole number from 1 to 2147483647/],
    [['--from', '0'], 2, /--from="0" must be a seqno/],
    [['--to', '5', '--network', 'local,testnet', '--global-config', 'x'], 2, /need one network, but the settings have 2/],
    [['--to', '5', '--index-from', 'head'], 1, /would begin with the current head: give its first block with --from/],
    [['--to', '5', '--index-from', '7'], 1, /would begin with block 7, after --to 5/],
    [['--from', '100000', '--to', '100001'], 1, /the chain is at block \d+: there is no block 100000 yet/],
  ] as const)('the range %j is refused', async (argv, code, text) => {
    const connection = await server.database()
    expect(await runHere(connection, 'index', ...argv)).toEqual({ code, out: [], err: expect.stringMatching(text) })
    expect(await place(connection)).toEqual([])
  })

  it('processes backfill together, also after one was killed amid a range', { timeout: 240_000 }, async () => {
    const connection = await server.database()
    const backfill = (...argv: readonly string[]) => builtService.start(['backfill', ...settings(connection), ...argv])
    const options = ['--to', String(CHAIN), '--blocks', '60']
    const [keeper, holder] = [await connect(connection), await connect(connection)]
    // The second range begins here, and waits after its first group of 50 blocks.
    await createRangeTables(keeper, 61)
    await holder.query('select pg_advisory_lock(7)')
    await keeper.script(`create function hold() returns trigger language plpgsql as $$ begin perform pg_advisory_lock_shared(7); return new; end $$;
      create trigger hold before insert on tonway_range_61.blocks for each row when (new.mc_seqno = 115) execute function hold()`)
    const killed = backfill(...options)
    const reached = async (): Promise<unknown> =>
      (await keeper.query<{ mc_seqno: number }>('select mc_seqno from tonway_range_61.index_checkpoint').catch(() => []))[0]?.mc_seqno
    const waits = async (): Promise<boolean> =>
      (await keeper.query(`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`)).length > 0
    await until(async () => (await reached()) === 110 && (await waits()))
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(await place(connection)).toEqual([1, 60, 60, 60])
    await holder.close()
    const ends = await Promise.all([backfill(...options), backfill(...options)].map(({ ended }) => ended))
    expect(ends).toEqual([0, 1].map(() => ({ code: 0, out: `blocks 1 to ${CHAIN} are indexed\n`, err: '' })))
    expect(await place(connection)).toEqual([1, CHAIN, CHAIN, CHAIN])
    await keeper.close()
    expect(await run(connection, 'verify')).toMatchObject({ code: 0, err: '' })
  })

  it.each([
    [[], 2, /^tonway: backfill needs --to, the last masterchain block$/m],
    [['--to', '0'], 2, /--to="0" must be a seqno/],
    [['--to', '5', '--blocks', 'x'], 2, /--blocks="x" must be a whole number/],
    [['--to', '5', '--network', 'local,testnet', '--global-config', 'x'], 2, /backfill needs one network, but the settings have 2/],
    [['--to', '5', '--index-keep', '30d'], 1, /an index with a limited history \(TONWAY_INDEX_KEEP\) is not backfilled in parallel/],
    [['--to', '5', '--index-accounts', '-1'], 1, /an index of some accounts \(TONWAY_INDEX_ACCOUNTS\) is not backfilled in parallel/],
    [['--to', '1000000'], 1, /the chain is at block \d+/],
  ] as const)('the backfill %j is refused', async (argv, code, text) => {
    const connection = await server.database()
    expect(await runHere(connection, 'backfill', ...argv)).toEqual({ code, out: [], err: expect.stringMatching(text) })
    expect(await place(connection)).toEqual([])
  })

  it('a range of a chain that cannot be reverted ends with a proven block', async () => {
    const connection = await server.database()
    const { source } = maker.app.network
    const asked: LiteFunction[] = []
    const watched: LiteServer = {
      ...source,
      query(fn, args, signal) {
        asked.push(fn)
        return source.query(fn, args, signal)
      },
    }
    await indexUpTo(chainUpTo(watched, 30, false), connection, 30, { reverts: false })
    expect(await place(connection)).toEqual([1, 30, 30, 30])
    expect(asked).toContain('lookupBlockWithProof')
  })
})
