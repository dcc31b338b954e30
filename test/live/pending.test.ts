import { Address, Cell, internal } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ManualMining, rawOf, startManualMining } from '../emulate/scene.ts'
import { openStream } from '../events/stream.ts'
import { checked } from '../kit/service/client.ts'
import { until } from '../kit/wait.ts'

/* What is pending on an embedded chain that makes no blocks by itself. Rows are those of the acceptance list. */

let service: ManualMining
beforeAll(async () => {
  service = await startManualMining()
}, 120_000)
afterAll(() => service?.close())

const bob = new Address(0, Buffer.alloc(32, 0xb0))
const gift = (value: string) => internal({ to: bob, value, bounce: false, body: 'hi' })
let seqno = 0
const send = async (value: string, at = seqno++) => {
  const boc = service.v4.order(at, [gift(value)])
  const { hash, hash_norm } = await service.call('sendBocReturnHash', { boc })
  // An emulation that takes long ends after the message has left.
  await until(() => seen(hash))
  return { boc, hash, hashNorm: hash_norm }
}
const mine = (): Promise<void> => service.mine()
const traces = async (ext_msg_hash: string) => (await service.call('v3.pendingTraces', { ext_msg_hash: [ext_msg_hash] })).traces
const seen = async (hash: string): Promise<boolean> => (await traces(hash)).length > 0

describe('pending traces', () => {
  it('pending traces are found by every form of the hash, and leave when their block is indexed (row 38)', async () => {
    const { hash, hashNorm } = await send('1')
    for (const form of [hash, hashNorm, Buffer.from(hash, 'base64').toString('hex'), Buffer.from(hash, 'base64').toString('base64url')]) {
      const [trace] = await traces(form)
      expect(trace).toMatchObject({ trace_id: null, external_hash: hash, trace_info: { trace_state: 'pending', transactions: 2 } })
      expect(trace!.trace!.children).toHaveLength(1)
    }
    const { actions } = checked('v3.pendingActions', await service.call('v3.pendingActions', { account: service.v4.raw }))
    expect(actions).toMatchObject([
      { type: 'ton_transfer', finality: 'pending', trace_external_hash: hash, trace_external_hash_norm: hashNorm, trace_id: null },
    ])
    const whole = await service.call('v3.pendingActions', { ext_msg_hash: [hash], include_transactions: true })
    expect(whole.actions[0]!.transactions_full).toHaveLength(2)
    const { transactions } = await service.call('v3.pendingTransactions', { account: [rawOf(bob)] })
    expect(transactions).toMatchObject([{ account: rawOf(bob), emulated: true, finality: 'pending', trace_external_hash: hash }])
    const answer = await service.get<{ traces: unknown[] }>(`pendingTraces?account=${service.v4.raw}`)
    expect([answer.status, answer.body.traces.length]).toEqual([200, 1])

    await mine()
    await until(async () => !(await seen(hash)))
    expect((await service.call('v3.traces', { msg_hash: [hash] })).traces).toHaveLength(1)
  })

  it('an emulated message is no pending trace, and no stream is told of it (row 3)', async () => {
    const reader = await openStream(`${service.url.replace('http', 'ws')}/api/streaming/v2/ws`)
    const types = ['transactions', 'actions', 'trace', 'account_state_change']
    await reader.op({ operation: 'subscribe', types, addresses: [service.v4.raw], min_finality: 'pending' })
    const boc = service.v4.order(seqno, [gift('7')])
    expect((await service.trace({ boc, with_actions: true })).body.actions).toHaveLength(1)
    expect(await seen(Cell.fromBase64(boc).hash().toString('base64'))).toBe(false)
    expect((await service.call('v3.pendingTraces', { account: service.v4.raw })).traces).toEqual([])
    // Another message comes after everything that the emulation could have told.
    const { hash, hashNorm } = await send('8')
    await until(() => reader.events.some(({ type }) => type === 'trace'))
    expect(new Set(reader.events.map((event) => event.trace_external_hash_norm))).toEqual(new Set([hashNorm]))
    await mine()
    await until(async () => !(await seen(hash)))
    reader.close()
  })

  it('an idle account has no pending traces: an empty list, and the 404 of pendingTransactions (row 39)', async () => {
    const idle = rawOf(new Address(0, Buffer.alloc(32, 0x1d)))
    expect((await service.call('v3.pendingTraces', { account: idle })).traces).toEqual([])
    expect((await service.call('v3.pendingActions', { account: idle })).actions).toEqual([])
    const { status, body } = await service.get<{ error: string }>(`pendingTransactions?account=${idle}`)
    expect([status, body.error]).toEqual([404, 'emulated traces not found'])
  })

  it('pending traces of two messages of one wallet are both seen, one on top of the other, and both end in a block (row 40)', async () => {
    const first = await send('1')
    const second = await send('2')
    const [one, two] = [(await traces(first.hash))[0]!, (await traces(second.hash))[0]!]
    expect(two.transactions![two.transactions_order![0]!]!.prev_trans_hash).toBe(one.transactions_order![0])
    expect((await service.call('v3.pendingTraces', { account: service.v4.raw })).traces).toHaveLength(2)
    await mine()
    await until(async () => !(await seen(first.hash)) && !(await seen(second.hash)))
    for (const { hash } of [first, second]) expect((await service.call('v3.traces', { msg_hash: [hash] })).traces).toHaveLength(1)
  })

  it('pending traces of a wallet are told although strangers send it messages that it refuses', async () => {
    const forged = Array.from({ length: 25 }, (_, i) => service.v4.order(seqno + 1_000 + i, [gift('1')]))
    await Promise.all(forged.map((boc) => service.call('sendBoc', { boc }).catch(() => {})))
    const { hash } = await send('3')
    expect(await traces(hash)).toHaveLength(1)
    await mine()
    await until(async () => !(await seen(hash)))
  })

  it('pending traces keep what is in a block, and the rest is emulated again on it, until all of it is in blocks', async () => {
    // What comes back from the masterchain is in a later block.
    const reader = await openStream(`${service.url.replace('http', 'ws')}/api/streaming/v2/ws`)
    const far = new Address(-1, Buffer.alloc(32, 0x4a))
    const types = ['transactions', 'actions', 'trace']
    await reader.op({ operation: 'subscribe', types, addresses: [rawOf(far)], min_finality: 'pending' })
    const boc = service.v4.order(seqno++, [internal({ to: far, value: '1', bounce: true, body: 'far' })])
    const { hash } = await service.call('sendBocReturnHash', { boc })
    await until(() => seen(hash))
    const [predicted] = await traces(hash)
    expect(predicted).toMatchObject({ trace_id: null, trace_info: { transactions: 3, pending_messages: 3 } })
    await mine()
    const begun = async (): Promise<boolean> => (await traces(hash))[0]?.trace_id !== null
    await until(begun)
    const found = await traces(hash)
    expect(found).toHaveLength(1)
    const [wallet, receiver, back] = found[0]!.transactions_order!.map((each) => found[0]!.transactions![each]!)
    const { transactions: real } = await service.call('v3.transactions', { account: [service.v4.raw], limit: 1, sort: 'desc' })
    const { hash: id, lt, total_fees } = real[0]!
    expect(wallet).toMatchObject({ hash: id, lt, total_fees, emulated: false, finality: 'confirmed' })
    expect(receiver).toMatchObject({ account: rawOf(far), emulated: false, in_msg: { hash: real[0]!.out_msgs[0]!.hash } })
    expect(back).toMatchObject({
      account: service.v4.raw,
      emulated: true,
      finality: 'pending',
      in_msg: { hash: receiver!.out_msgs[0]!.hash, bounced: true },
    })
    expect(found[0]).toMatchObject({ trace_id: id, trace_info: { transactions: 3, pending_messages: 1 } })
    while (await seen(hash)) await mine()
    await until(async () => reader.events.some(({ type, finality }) => type === 'trace' && finality === 'finalized'))
    expect(reader.events.map(({ type }) => type)).not.toContain('trace_invalidated')
    const { traces: done } = await service.call('v3.traces', { msg_hash: [hash] })
    expect(done).toMatchObject([{ trace_info: { transactions: 3 } }])
    reader.close()
  })

  it('pending traces leave when another message took their place (row 31)', async () => {
    const { hash } = await send('3')
    expect(await seen(hash)).toBe(true)
    // The wallet is gone before the message is in a block.
    const code = new Cell().toBoc().toString('base64')
    await service.call('local.setAccount', { address: service.v4.raw, code })
    await service.call('local.fund', { address: service.v4.raw, amount: '1' })
    await until(async () => !(await seen(hash)))
  })

  it('a refused message has no pending trace', async () => {
    const boc = service.v3.order(0, [gift('1')])
    await expect(service.call('sendBoc', { boc })).rejects.toThrow('cannot apply external message')
    const hash = Cell.fromBase64(boc).hash().toString('base64')
    expect(await seen(hash)).toBe(false)
  })
})
