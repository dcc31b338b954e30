import { Address, beginCell, internal } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checked } from '../kit/service/client.ts'
import { type Emulation, inOrder, startEmulation } from './scene.ts'

/* The emulation routes over an embedded chain. Numbers at the ends of titles are rows of the acceptance list of emulate/v1 and streaming v2. */

let service: Emulation
beforeAll(async () => {
  service = await startEmulation()
  await service.deployAll()
}, 120_000)
afterAll(() => service?.close())

const person = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
const bob = person(0xb0)
const gift = (value = '1', to = bob) => internal({ to, value, bounce: false, body: 'hi' })

describe('emulateTrace', () => {
  it('tells both transactions of a signed transfer, and the same comes out when it is sent (rows 1, 2, 3)', async () => {
    const boc = service.v4.order(service.nextSeqno(), [gift()])
    const before = await service.call('getAddressInformation', { address: service.v4.raw })
    const { status, body } = await service.trace({ boc })
    expect([status, body.error]).toEqual([200, undefined])
    checked('emulate.trace', body)
    const [wallet, receiver] = inOrder(body)
    expect(Object.keys(body.transactions)).toHaveLength(2)
    expect(body.trace.children).toHaveLength(1)
    for (const each of [wallet!, receiver!]) {
      expect([each.emulated, each.finality, each.trace_id]).toEqual([true, 'pending', undefined])
      expect(each.account_state_before.balance).not.toBe(each.account_state_after.balance)
      expect(each.account_state_after.hash).not.toBe(each.account_state_before.hash)
    }
    expect(body).toMatchObject({ is_incomplete: false, actions: [] })
    expect(await service.call('getAddressInformation', { address: service.v4.raw })).toEqual(before)

    const sent = await service.sendV4(gift())
    expect(sent).toBe(boc)
    const [real] = (await service.call('v3.transactions', { account: [service.v4.raw], limit: 1, sort: 'desc' })).transactions
    expect(real!.description.compute_ph).toMatchObject({ exit_code: (wallet!.description.compute_ph as { exit_code: number }).exit_code })
    expect(real!.out_msgs).toHaveLength(wallet!.out_msgs.length)
    expect(Math.abs(Number(real!.total_fees) - Number(wallet!.total_fees))).toBeLessThan(1000)
    expect(real!.mc_block_seqno).toBe(wallet!.mc_block_seqno)
    expect(real!.block_ref).toEqual(wallet!.block_ref)
    expect([real!.lt, real!.in_msg!.hash]).toEqual([wallet!.lt, wallet!.in_msg!.hash])
  })
})
