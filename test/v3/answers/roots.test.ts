import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalIndex, startLocalIndex } from '../../kit/index/local-index.ts'

/*
 * What a trace began with. TON Center tells the hash of the first transaction's in-message as `external_hash`, whatever message that is (the source of
 * its TraceAssembler, and its answer for a trace that a message of the system began).
 */

const SYSTEM = `-1:${'0'.repeat(64)}`
const address = (byte: string): string => `0:${byte.repeat(32).toUpperCase()}`
const STRANGER = address('a1')

describe('what a trace began with', () => {
  let index: LocalIndex
  beforeAll(async () => {
    index = await startLocalIndex()
    await index.call('local.sendInternal', { from: SYSTEM, to: STRANGER, value: '1000000000', bounce: false })
    await index.call('local.sendInternal', { from: address('b2'), to: STRANGER, value: '2000000000', bounce: false })
    await index.indexed()
  })
  afterAll(() => index?.close())

  const tracesTo = async (account: string) => (await index.call('v3.traces', { account, sort: 'asc' })).traces

  it('external_hash is that of the message, of the system or of nobody, that began the trace', async () => {
    const traces = await tracesTo(STRANGER)
    expect(traces.length).toBeGreaterThanOrEqual(2)
    for (const [i, source] of [SYSTEM, address('b2')].entries()) {
      const trace = traces[i]!
      const root = trace.transactions![trace.trace_id!]!
      expect(root.in_msg!.source).toBe(source.toUpperCase())
      expect(trace.external_hash).toBe(root.in_msg!.hash)
      expect(trace.trace_info.trace_state).toBe('complete')
      // It is found by it.
      expect((await index.call('v3.traces', { msg_hash: [trace.external_hash!] })).traces.map(({ trace_id }) => trace_id)).toEqual([
        trace.trace_id,
      ])
    }
  })

  it('the trace_id that a local.* call answers is that of the trace in the index, and its transaction is the one that received the message', async () => {
    const owner = address('c3')
    const jetton = await index.call('local.deployJetton', { name: 'Trace', decimals: 9 })
    const collection = await index.call('local.deployCollection', { name: 'Traces' })
    const answers = {
      fund: await index.call('local.fund', { address: owner, amount: '1000000000' }),
      sendInternal: await index.call('local.sendInternal', { from: address('d4'), to: owner, amount: '5', bounce: false }),
      deployJetton: jetton,
      deployCollection: collection,
      mintJetton: await index.call('local.mintJetton', { jetton: jetton.address, owner, amount: '7' }),
      mintNft: await index.call('local.mintNft', { collection: collection.address, owner, name: 'One' }),
    }
    await index.indexed()
    for (const [name, { trace_id, transaction_id }] of Object.entries(answers)) {
      const { traces } = await index.call('v3.traces', { trace_id: [trace_id!] })
      expect([name, traces.map((trace) => trace.trace_id)]).toEqual([name, [trace_id]])
      const { lt } = traces[0]!.transactions![transaction_id!.hash]!
      expect([name, lt]).toEqual([name, transaction_id!.lt])
    }
    // Each call began a trace of its own.
    expect(new Set(Object.values(answers).map(({ trace_id }) => trace_id)).size).toBe(6)
  })

  it('the hash is that of the first seen message if the trace began before the index', async () => {
    const [system, other] = await tracesTo(STRANGER)
    // Nobody knows of the middle of a chain who sent the second; the system's messages have no sender anyhow.
    for (const [trace, state, open] of [[system!, 'complete', 0] as const, [other!, 'broken', 1] as const]) {
      const { traces } = await index.fromMiddle(Number(trace.mc_seqno_start), 'v3.traces', { trace_id: [trace.trace_id!] })
      expect(traces).toMatchObject([
        { trace_id: trace.trace_id, external_hash: trace.external_hash, trace_info: { trace_state: state, pending_messages: open } },
      ])
    }
  })

  it('the beginning of a trace is derived again by verify, and after a revert', async () => {
    const { snapshot } = await index.call('local.snapshot', {})
    await index.call('local.sendInternal', { from: SYSTEM, to: STRANGER, value: '3000000000', bounce: false })
    await index.indexed()
    await index.call('local.revert', { snapshot })
    await index.call('local.sendInternal', { from: SYSTEM, to: STRANGER, value: '4000000000', bounce: false })
    expect(await index.verified()).toEqual([])
    expect(await index.madeAnew()).toEqual([])
  })
})
