import { Address, beginCell, internal } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStream } from '../events/stream.ts'
import { transferBody } from '../kit/chain/jetton-bodies.ts'
import { until } from '../kit/wait.ts'
import { type ManualMining, rawOf, startManualMining } from './scene.ts'

/* Accounts that no block has yet: what is told of them before their block. meaning.slow.test.ts compares orders of every kind with what follows. */

let service: ManualMining
let jetton: string
/** The jetton wallet of the funded wallet. */
let own: string
let seqno = 0
beforeAll(async () => {
  service = await startManualMining()
  const admin = service.v4.address.toString()
  jetton = (await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN', decimals: 6, admin })).address
  own = (await service.call('local.mintJetton', { jetton, owner: admin, amount: '1000' })).address
  await service.settle()
}, 120_000)
afterAll(() => service?.close())

const master = (): string => rawOf(Address.parse(jetton))
const transferTo = (owner: Address) =>
  internal({
    to: Address.parse(own),
    value: '0.3',
    bounce: true,
    body: transferBody({ amount: 7n, to: owner, response: service.v4.address, forward: 1n }),
  })
const mintTo = (owner: Address) =>
  internal({
    to: Address.parse(jetton),
    value: '0.3',
    bounce: true,
    body: beginCell()
      .storeUint(0x642b7d07, 32)
      .storeUint(0, 64)
      .storeAddress(owner)
      .storeCoins(100_000_000)
      .storeRef(
        beginCell()
          .storeUint(0x178d4519, 32)
          .storeUint(0, 64)
          .storeCoins(7)
          .storeAddress(null)
          .storeAddress(service.v4.address)
          .storeCoins(0)
          .storeBit(0)
          .endCell(),
      )
      .endCell(),
  })

it.each([
  ['jetton_transfer', 0xa1, transferTo],
  ['jetton_mint', 0xa2, mintTo],
] as const)('a %s to an owner without a wallet is told before its block, by emulateTrace, as pending and on a stream', async (type, byte, message) => {
  const owner = new Address(0, Buffer.alloc(32, byte))
  const boc = service.v4.order(seqno++, [message(owner)])
  const { body } = await service.trace({ boc, with_actions: true, include_address_book: true, include_metadata: true })
  const action = body.actions!.find((each) => each.type === type)
  expect(body.actions!.map((each) => each.type)).not.toContain('call_contract')
  expect(action).toMatchObject({ success: true, details: { asset: master(), receiver: rawOf(owner), amount: '7' } })
  const wallet = (action!.details as { receiver_jetton_wallet: string }).receiver_jetton_wallet
  const name = { [wallet]: { interfaces: ['jetton_wallet'] } }
  const extra = { owner: rawOf(owner), jetton: master(), balance: '7' }
  const tokens = {
    [wallet]: { is_indexed: true, token_info: [{ type: 'jetton_wallets', extra }] },
    [master()]: { token_info: [{ type: 'jetton_masters', symbol: 'ACRN' }] },
  }
  expect(body).toMatchObject({ address_book: name, metadata: tokens })

  const reader = await openStream(`${service.url.replace('http', 'ws')}/api/streaming/v2/ws`)
  const wanted = {
    types: ['actions'],
    addresses: [rawOf(owner)],
    min_finality: 'pending',
    include_address_book: true,
    include_metadata: true,
  }
  await reader.op({ operation: 'subscribe', ...wanted })
  const { hash } = await service.call('sendBocReturnHash', { boc })
  await until(async () => (await service.call('v3.pendingTraces', { ext_msg_hash: [hash] })).traces.length > 0)
  const pending = await service.call('v3.pendingActions', { account: rawOf(owner) })
  expect(pending.actions.map((each) => [each.type, each.details])).toContainEqual([type, action!.details])
  expect(pending).toMatchObject({ address_book: name, metadata: tokens })
  await until(() => reader.events.some((event) => event.type === 'actions'))
  expect(reader.events.find((event) => event.type === 'actions')).toMatchObject({
    actions: expect.arrayContaining([expect.objectContaining({ type, details: action!.details })]),
    address_book: name,
    metadata: tokens,
  })
  reader.close()
  await service.settle()
})
