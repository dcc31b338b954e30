import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import { stdAddress } from '../../server/tlb/address.ts'
import { storeMessage } from '../../server/tlb/message/message.ts'
import { parseAddress } from '../../shared/fields/address.ts'
import type { Result } from '../../shared/registry.ts'
import { post } from '../kit/service/client.ts'
import { type Service, startService } from '../kit/service/service.ts'
import { startTonway } from '../kit/service/tonway.ts'

/* Emulation where the index is off, and with TON Center's status for messages that cannot be emulated. */

let service: Service
let from: string
beforeAll(async () => {
  service = await startService({ emulateErrors: 500, liteserverPort: 0 })
  from = (await service.call('local.wallets', {})).wallets[0]!.raw_address
})
afterAll(() => service?.close())

const emulate = (body: object) =>
  post<{ error?: string; actions: { type: string }[] }>(`${service.url}/api/emulate/v1/emulateTonConnect`, body)
const request = (amount = '1000') => ({ from, messages: [{ address: from, amount }], with_actions: true })

describe('emulation without an index', () => {
  it('emulation without an index gives transactions and actions', async () => {
    const { status, body } = await emulate(request())
    expect([status, body.actions.map(({ type }) => type)]).toEqual([200, ['ton_transfer']])
  })

  it.each(['include_address_book', 'include_metadata'])('emulation without an index refuses %s with TON Center’s text', async (flag) => {
    const { status, body } = await emulate({ ...request(), [flag]: true })
    expect([status, body.error]).toEqual([400, 'invalid request: address book and metadata are not available'])
  })

  it('emulation without an index answers 500 for an impossible message if that is set', async () => {
    const { status, body } = await emulate({ ...request(), valid_until: 1_600_000_000 })
    expect([status, body.error?.startsWith('failed to emulate shard block: EmulationExternalNotAccepted: ')]).toEqual([500, true])
  })

  it('messages that cross to the masterchain are delivered there later', async () => {
    const elector = '-1:3333333333333333333333333333333333333333333333333333333333333333'
    const { status, body } = await emulate({ ...request(), messages: [{ address: elector, amount: '1000000000' }] })
    expect(status).toBe(200)
    const { transactions } = body as unknown as { transactions: Record<string, { mc_block_seqno: number; account: string }> }
    const seqnos = Object.values(transactions).map((each) => each.mc_block_seqno)
    expect(Math.max(...seqnos)).toBeGreaterThanOrEqual(Math.min(...seqnos) + 3)
  })

  it('extra currencies of a message are told in it and in the state of the account that gets them', async () => {
    const { workchain, hash } = parseAddress(from)!
    const own = stdAddress(workchain, hash)
    const flags = { ihrDisabled: true, bounce: false, bounced: false, ihrFee: 0n, fwdFee: 0n, createdLt: 0n, createdAt: 0 } as const
    const value = { grams: 1_000_000_000n, other: new Map([[100, 77n]]) }
    const message = storeMessage({ info: { type: 'internal', ...flags, src: own, dest: own, value }, body: EMPTY_CELL })
    const boc = Buffer.from(serializeBoc(message)).toString('base64')
    const { status, body } = await post<Result<'emulate.trace'>>(`${service.url}/api/emulate/v1/emulateTrace`, { boc })
    expect([status, (body as { error?: string }).error]).toEqual([200, undefined])
    const [first] = Object.values(body.transactions)
    expect(first!.in_msg!.value_extra_currencies).toEqual({ 100: '77' })
    expect([first!.account_state_before, first!.account_state_after].map((state) => state!.extra_currencies)).toEqual([{}, { 100: '77' }])
  })

  it('emulation on a network of lite-servers, with its proofs, gives what the chain itself gives, at the newest block and at an old one', async () => {
    await service.call('local.mine', { count: 3 })
    await using copy = await startTonway({ network: ['copy'], globalConfig: `${service.url}/global.config.json`, index: false })
    const { last } = await service.call('getMasterchainInfo', {})
    const elector = '-1:3333333333333333333333333333333333333333333333333333333333333333'
    const messages = [from, elector, `0:${'5a'.repeat(32)}`].map((address) => ({ address, amount: '1000000000' }))
    for (const seqno of [last.seqno, last.seqno - 2]) {
      const fixed = { mc_block_seqno: seqno, now: 2_000_000_000, rand_seed: Buffer.alloc(32, 7).toString('base64') }
      const [own, far] = await Promise.all(
        [service.url, copy.url].map((url) =>
          post<object>(`${url}/api/emulate/v1/emulateTonConnect`, { ...request(), ...fixed, messages, valid_until: 2_000_000_100 }),
        ),
      )
      expect([own!.status, Object.keys((own!.body as { transactions: object }).transactions).length >= 4]).toEqual([200, true])
      expect(far!.body).toEqual(own!.body)
    }
  })
})
