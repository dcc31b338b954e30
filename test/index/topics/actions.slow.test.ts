import { Address, beginCell, comment, toNano } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLASSIFIER_VERSION } from '../../../server/actions/classify.ts'
import type { Facts } from '../../../server/actions/facts.ts'
import type { Matcher } from '../../../server/actions/matcher.ts'
import { silentLog } from '../../../server/base/log.ts'
import { endSteps } from '../../../server/base/yield.ts'
import { factsOfText, factText } from '../../../server/index/topics/actions/fact-text.ts'
import { createOpenTraces } from '../../../server/index/topics/actions/open-traces.ts'
import { rederiveActions } from '../../../server/index/topics/actions/rederive.ts'
import { actionsTopic } from '../../../server/index/topics/actions/topic.ts'
import { TOPICS } from '../../../server/index/topics/registry.ts'
import type { Topic } from '../../../server/index/topics/topic.ts'
import { MATCHERS } from '../../../server/protocols/index.ts'
import { CLASSIFICATION_STATES } from '../../../server/store/codes.ts'
import { type LocalIndex, startLocalIndex } from '../../kit/index/local-index.ts'
import { differences, dump, indexUpTo, startIndexer } from '../kit.ts'
import { account, b64, jettonTransfer, raw } from './kit.ts'

/* Actions in the index: told when a trace is complete, the same however the index was made, and taken back with the chain. */

/** A matcher that cannot work, for calls that nothing else uses. */
const FAULTY = 0x0badc0de
;(MATCHERS as Matcher[]).push({
  at: [FAULTY],
  build() {
    throw new Error('a fault of the matcher')
  },
})

const ADDRESS = `0:${'AB'.repeat(32)}`

describe('facts of a trace', () => {
  const facts: Facts = new Map([
    [`0:${'F'.repeat(64)}`, { jettonWallet: { owner: ADDRESS, jetton: ADDRESS }, nominatorPool: true }],
    [ADDRESS, { nftItem: { index: 2n ** 200n, collection: null, owner: ADDRESS, uri: 'a\0"\ud800', codeHash: null } }],
    [`-1:${'1'.repeat(64)}`, { nftSale: { marketplace: null, item: ADDRESS, seller: null, price: null } }],
    [`0:${'2'.repeat(64)}`, { nftAuction: { marketplace: null, item: null, seller: null, lastBid: 10n ** 30n } }],
    [`0:${'3'.repeat(64)}`, { multisigOrder: { signers: [ADDRESS] }, dedustPool: [null, ADDRESS], jvaultPool: { lockWallet: ADDRESS } }],
  ])

  it('stored facts are read back as they were written', () => {
    expect(factsOfText(endSteps(factText(facts)))).toEqual(facts)
    expect(factsOfText(null)).toEqual(new Map())
    expect(factsOfText('{"damaged')).toEqual(new Map())
  })

  it('facts give the same text in whatever order they were found', () => {
    expect(endSteps(factText(new Map([...facts].reverse())))).toBe(endSteps(factText(facts)))
  })
})

describe('actions of the index', () => {
  let index: LocalIndex
  const [ALICE, BOB] = [account(0xa1), account(0xb0)]
  beforeAll(async () => {
    index = await startLocalIndex()
  })
  afterAll(() => index?.close())

  const rows = <R>(text: string): Promise<R[]> => index.server.run<R>(index.database, text)
  const send = (from: string, to: string, body = comment('hi')) =>
    index.call('local.sendInternal', { from, to, value: String(toNano('1')), body: b64(body), bounce: true })

  const rederive = (): Promise<void> =>
    rederiveActions(
      { config: index.database, left: () => {}, failed: (_, error) => expect(error).toBeUndefined() },
      AbortSignal.timeout(60_000),
    )

  it('actions equal those of an index made anew, and verify, also if a trace goes through several masterchain blocks', async () => {
    const jetton = await index.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    const minted = await index.call('local.mintJetton', { jetton: jetton.address, owner: raw(ALICE), amount: '1000' })
    for (let i = 0; i < 3; i++) {
      await send(raw(ALICE), minted.address, jettonTransfer(10n, BOB, ALICE, 1n, comment(`part ${i}`)))
      await index.call('local.mine', { count: 1 })
    }
    await index.call('local.mine', { count: 4 })
    await index.indexed()
    const { actions } = await index.call('v3.actions', { action_type: ['jetton_transfer'], sort: 'asc' })
    expect(actions.map(({ details }) => details['comment'])).toEqual(['part 0', 'part 1', 'part 2'])
    const states = await rows<{ state: number; complete: string; told: string }>(
      `select count(*) as complete, count(c.trace_id) as told from traces t left join trace_classifications c using (trace_id) where t.state = 1`,
    )
    expect(states[0]!.told).toBe(states[0]!.complete)
    expect(await index.verified()).toEqual([])
    expect(await index.madeAnew()).toEqual([])
  })

  it('actions are the same if no trace fits into memory, and after restarts in the middle of traces', async () => {
    const forgetful: Topic = {
      ...actionsTopic,
      derive: (block, context) =>
        actionsTopic.derive(block, {
          ...context,
          cached: (name, make) => context.cached(name, name === 'actions.open' ? () => createOpenTraces(0) as never : make),
        }),
    }
    const deps = { tvm: index.tvm, topics: TOPICS.map((topic) => (topic === actionsTopic ? forgetful : topic)) }
    const [followed, restarted] = [await index.server.database(), await index.server.database()]
    // What comes back from the masterchain arrives one block later.
    const far = new Address(-1, BOB.hash)
    const follower = startIndexer(index.local, followed, deps)
    try {
      await follower.reached(index.local.head!().id.seqno, AbortSignal.timeout(60_000))
      for (let i = 0; i < 12; i++) {
        await send(raw(ALICE), raw(far), comment(`again ${i}`))
        if (i % 3 === 2) await indexUpTo(index.local, restarted, index.local.head!().id.seqno, deps)
      }
      await index.call('local.mine', { count: 4 })
      await index.indexed()
      const { seqno } = index.local.head!().id
      await follower.reached(seqno, AbortSignal.timeout(60_000))
      await indexUpTo(index.local, restarted, seqno, deps)
    } finally {
      await follower.close()
    }
    const expected = await dump(index.database)
    for (const database of [followed, restarted]) expect(differences(expected, await dump(database))).toEqual([])
  })

  it('verify finds a changed action, one that nobody made, an account that is missing, and changed facts', async () => {
    const ofTransfers = `select trace_id from actions where type = 'jetton_transfer' order by trace_id`
    const [changed, listed, known] = await rows<{ trace_id: Buffer; facts: string }>(
      `select trace_id, facts from trace_classifications where trace_id in (${ofTransfers}) order by trace_id`,
    )
    const hex = (of: { trace_id: Buffer } | undefined): string => `'\\x${of!.trace_id.toString('hex')}'`
    const forged = `'\\x${'ff'.repeat(32)}'`
    await rows(`update actions set success = not success where trace_id = ${hex(changed)}`)
    await rows(`create table forged as select * from actions where trace_id = ${hex(changed)} limit 1`)
    await rows(`update forged set action_id = ${forged}`)
    await rows('insert into actions select * from forged')
    await rows('drop table forged')
    await rows(`delete from action_accounts where trace_id = ${hex(listed)} and account = (select account from action_accounts
      where trace_id = ${hex(listed)} order by account desc limit 1)`)
    await rows(`update trace_classifications set facts = null where trace_id = ${hex(known)}`)
    const found = await index.verified()
    const about = (table: string): readonly string[] => found.filter((line) => line.startsWith(`${table} `))
    expect(about('actions').some((line) => line.includes('ff'.repeat(32)))).toBe(true)
    expect(about('actions').length).toBeGreaterThan(1)
    expect(about('action_accounts').length).toBeGreaterThan(0)
    expect(about('trace_classifications').length).toBe(1)
    // What was made again from its facts is right again.
    await rows(`update trace_classifications set facts = '${known!.facts.replaceAll("'", "''")}' where trace_id = ${hex(known)}`)
    await rows('update actions_progress set version = 0')
    await rows(`update trace_classifications set version = 0 where trace_id in (${hex(changed)}, ${hex(listed)})`)
    await rederive()
    expect(await index.verified()).toEqual([])
  })

  it('actions are reverted with the chain', async () => {
    const { snapshot } = await index.call('local.snapshot', {})
    await index.indexed()
    const before = await rows(`select * from actions where type <> 'tick_tock' order by trace_id, action_id`)
    await send(raw(ALICE), raw(BOB))
    await index.call('local.mine', { count: 3 })
    await index.indexed()
    expect((await rows('select * from actions')).length).toBeGreaterThan(before.length)
    await index.call('local.revert', { snapshot })
    await index.call('local.mine', { count: 1 })
    await index.indexed()
    expect(await rows(`select * from actions where type <> 'tick_tock' order by trace_id, action_id`)).toEqual(before)
    expect(await index.verified()).toEqual([])
  })

  it('actions are derived in the background if the index has none, or those of another classifier', async () => {
    const told = 'select trace_id, action_id, type, content, ancestors, tx_hashes from actions order by trace_id, action_id'
    const before = await rows(told)
    const accounts = await rows('select account, action_id from action_accounts order by account, action_id')
    // As the migration leaves an index that has none.
    await rows('truncate actions, action_accounts, trace_classifications, actions_progress')
    await rows(`insert into actions_progress values (1, 0, ${2n ** 63n - 1n}, '', false)`)
    expect(await index.verified()).toEqual([])
    await rederive()
    expect(await rows(told)).toEqual(before)
    expect(await rows('select account, action_id from action_accounts order by account, action_id')).toEqual(accounts)
    expect(await index.verified()).toEqual([])
    // Another classifier: rows of its version are told again from their facts; those of the present one stay.
    await rows('update actions_progress set version = 0')
    await rows(
      `update trace_classifications set version = 0 where trace_id in (select trace_id from actions where type = 'jetton_transfer')`,
    )
    await rows(`update actions set content = '{}' where type = 'jetton_transfer'`)
    // Before a leader begins that, verify compares nothing of it.
    expect(await index.verified()).toEqual([])
    // A trace that is too large keeps its rows, with the version of this classifier.
    await rows(
      `update traces set nodes = nodes + 10000 where trace_id = (select trace_id from actions where type = 'ton_transfer' order by trace_id limit 1)`,
    )
    await rows('update trace_classifications set version = 0 where trace_id in (select trace_id from traces where nodes > 10000)')
    await rederive()
    await rows('update traces set nodes = nodes - 10000 where nodes > 10000')
    expect(await rows(told)).toEqual(before)
    expect(await rows('select done, version from actions_progress')).toEqual([{ done: true, version: CLASSIFIER_VERSION }])
    expect(await index.verified()).toEqual([])
  })

  it('the progress tells how many traces are left, also if a step takes few because they are large', async () => {
    const [{ traces }] = (await rows<{ traces: string }>('select count(*) as traces from traces where state = 1')) as [{ traces: string }]
    // A step takes at most 4,000 transactions, so one of these traces.
    await rows('create table real_nodes as select trace_id, nodes from traces')
    await rows('update traces set nodes = 3000')
    await rows('update actions_progress set version = 0')
    const left: number[] = []
    await rederiveActions(
      { config: index.database, left: (count) => left.push(count), failed: (_, error) => expect(error).toBeUndefined() },
      AbortSignal.timeout(60_000),
    )
    const counted = Array.from({ length: Number(traces) }, (_, i) => Number(traces) - i)
    expect(left).toEqual([...counted, 0, 0])
    await rows('update traces t set nodes = r.nodes from real_nodes r where r.trace_id = t.trace_id')
    await rows('drop table real_nodes')
  })

  it('a matcher that throws costs its trace the full actions; it is logged and counted, and the index goes on', async () => {
    await send(raw(ALICE), raw(BOB), beginCell().storeUint(FAULTY, 32).storeUint(0, 64).endCell())
    await index.call('local.mine', { count: 2 })
    await send(raw(ALICE), raw(BOB), comment('after it'))
    await index.call('local.mine', { count: 2 })
    await index.indexed()
    const failed = await rows<{ trace_id: Buffer }>(
      `select trace_id from trace_classifications where state = ${CLASSIFICATION_STATES.indexOf('failed')}`,
    )
    expect(failed.length).toBe(1)
    const id = failed[0]!.trace_id.toString('base64')
    const [trace] = (await index.call('v3.traces', { trace_id: [id], include_actions: true })).traces
    expect(trace!.trace_info.classification_state).toBe('failed')
    // Its messages as they are: the call, and what came back.
    expect(trace!.actions!.map(({ type }) => type)).toContain('call_contract')
    const { actions } = await index.call('v3.actions', { account: raw(BOB), limit: 10 })
    expect(actions.map(({ details }) => details['comment'])).toContain('after it')

    const warnings: unknown[] = []
    const log = { ...silentLog, warn: (event: string, fields?: object) => void warnings.push([event, fields]) }
    const other = startIndexer(index.local, await index.server.database(), { tvm: index.tvm, log })
    await other.reached(index.local.head!().id.seqno, AbortSignal.timeout(60_000))
    expect(warnings).toEqual([['index.actions_failed', { what: id, err: expect.objectContaining({ message: 'a fault of the matcher' }) }]])
    expect(other.status()).toMatchObject({ failedTraces: 1, error: '' })
    await other.close()
  })
})
