import { Address, beginCell, comment, internal, toNano } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account, b64, jettonBurn, jettonTransfer, mainnetCode, nftTransfer } from '../../index/topics/kit.ts'
import { fixedPrice } from '../../index/topics/sales.ts'
import { type ActionsService, rawOf, startActions, type Wallet } from './kit.ts'

/* What people do on a chain, done on the embedded one by real wallets, and asked for over HTTP. */

let service: ActionsService
let wallet: Wallet
beforeAll(async () => {
  service = await startActions()
  wallet = await service.v4()
})
afterAll(() => service?.close())

const [ALICE, BOB] = [account(0xa1), account(0xb0)]
const types = (actions: readonly { readonly type: string }[]): string[] => actions.map(({ type }) => type).sort()

describe('what wallets do is told', () => {
  it('a transfer with a comment, and what its answer has of it', async () => {
    const message = await wallet.send(internal({ to: ALICE, value: '1.5', bounce: false, body: comment('thanks') }))
    const told = await service.actionsOf(message)
    expect(told).toMatchObject([
      {
        type: 'ton_transfer',
        success: true,
        finality: 'finalized',
        details: { source: wallet.raw, destination: rawOf(ALICE), value: '1500000000', comment: 'thanks', encrypted: false },
      },
    ])
    const [{ transactions, trace_id, trace_external_hash }] = told as [(typeof told)[number]]
    expect(transactions).toContain(trace_id)
    expect(transactions.length).toBe(2)
    expect(Buffer.from(trace_external_hash!, 'base64')).toEqual(message.hash())
    const { address_book } = await service.actions({ trace_id: [trace_id!] })
    expect(Object.keys(address_book).sort()).toEqual([wallet.raw, rawOf(ALICE)].sort())
  })

  it('four transfers of one order, one of which comes back', async () => {
    const bounced = internal({ to: BOB, value: '0.4', bounce: true, body: beginCell().storeUint(0x11223344, 32).endCell() })
    const plain = [1, 2, 3].map((n) => internal({ to: ALICE, value: toNano(n), bounce: false, body: comment(`part ${n}`) }))
    const told = await service.actionsOf(await wallet.send(bounced, ...plain))
    const transfers = told.filter(({ type }) => type === 'ton_transfer')
    expect(
      transfers
        .map(({ details }) => details['comment'])
        .filter(Boolean)
        .sort(),
    ).toEqual(['part 1', 'part 2', 'part 3'])
    const call = told.find(({ type, details }) => type === 'call_contract' && details['opcode'] === '0x11223344')
    expect(call).toMatchObject({ success: false, details: { source: wallet.raw, destination: rawOf(BOB), value: '400000000' } })
  })

  it('wallet v5 is deployed and sends to many at once', async () => {
    const five = await service.v5()
    const { actions: deployed } = await service.actions({ account: five.raw })
    expect(types(deployed)).toEqual(['contract_deploy', 'ton_transfer'])
    const many = Array.from({ length: 20 }, (_, i) =>
      internal({ to: account(i + 1), value: '0.05', bounce: false, body: comment(`to ${i}`) }),
    )
    const told = await service.actionsOf(await five.send(...many))
    expect(told.length).toBe(20)
    expect(new Set(types(told))).toEqual(new Set(['ton_transfer']))
    expect(told.map(({ details }) => details['destination'])).toEqual(
      expect.arrayContaining(Array.from({ length: 20 }, (_, i) => rawOf(account(i + 1)))),
    )
  })
})

describe('jettons', () => {
  let jetton: string
  let own: Address
  beforeAll(async () => {
    jetton = rawOf(Address.parse((await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })).address))
    own = Address.parse((await service.call('local.mintJetton', { jetton, owner: wallet.raw, amount: '1000' })).address)
    await service.settle()
  })

  it('a mint', async () => {
    const { actions } = await service.actions({ account: rawOf(own), action_type: ['jetton_mint'] })
    expect(actions).toMatchObject([
      { success: true, details: { asset: jetton, receiver: wallet.raw, receiver_jetton_wallet: rawOf(own), amount: '1000' } },
    ])
  })

  it('a transfer with a comment is one action, within the block that brings it', async () => {
    const body = jettonTransfer(250n, ALICE, wallet.address, 1n, comment('rent'))
    const told = await service.actionsOf(await wallet.send(internal({ to: own, value: '0.2', body })))
    expect(types(told)).toEqual(['contract_deploy', 'jetton_transfer'])
    expect(told.filter(({ type }) => type === 'jetton_transfer')).toMatchObject([
      {
        success: true,
        details: {
          asset: jetton,
          sender: wallet.raw,
          receiver: rawOf(ALICE),
          amount: '250',
          comment: 'rent',
          sender_jetton_wallet: rawOf(own),
        },
      },
    ])
    const { metadata } = await service.actions({ trace_id: [told[0]!.trace_id!] })
    expect(metadata[jetton]?.token_info).toMatchObject([{ type: 'jetton_masters', name: 'Acorn', symbol: 'ACRN' }])
  })

  it('a transfer of more than there is fails, a burn goes through', async () => {
    const failed = await service.actionsOf(
      await wallet.send(internal({ to: own, value: '0.2', body: jettonTransfer(9999n, ALICE, wallet.address) })),
    )
    expect(failed[0]).toMatchObject({ type: 'call_contract', success: false, details: { opcode: '0x0f8a7ea5', destination: rawOf(own) } })
    const burnt = await service.actionsOf(await wallet.send(internal({ to: own, value: '0.2', body: jettonBurn(50n, wallet.address) })))
    expect(burnt).toMatchObject([{ type: 'jetton_burn', success: true, details: { owner: wallet.raw, asset: jetton, amount: '50' } }])
  })
})

describe('NFTs', () => {
  let item: Address
  let collection: string
  beforeAll(async () => {
    collection = rawOf(Address.parse((await service.call('local.deployCollection', { name: 'Leaves', owner: wallet.raw })).address))
    item = Address.parse((await service.call('local.mintNft', { collection, owner: wallet.raw, name: 'one' })).address)
    await service.settle()
  })

  it('a mint', async () => {
    const { actions } = await service.actions({ account: rawOf(item), action_type: ['nft_mint'] })
    expect(actions).toMatchObject([{ success: true, details: { nft_item: rawOf(item), nft_collection: collection, nft_item_index: '0' } }])
  })

  it('a transfer', async () => {
    const told = await service.actionsOf(
      await wallet.send(internal({ to: item, value: '0.2', body: nftTransfer(ALICE, wallet.address, 1n) })),
    )
    expect(told).toMatchObject([
      {
        type: 'nft_transfer',
        success: true,
        details: { nft_collection: collection, nft_item: rawOf(item), old_owner: wallet.raw, new_owner: rawOf(ALICE), is_purchase: false },
      },
    ])
  })

  it('a purchase; older clients are told its parts', async () => {
    const [sale, shop] = [account(0x51), account(0x55)]
    const rose = Address.parse((await service.call('local.mintNft', { collection, owner: wallet.raw, name: 'rose' })).address)
    const data = b64(fixedPrice({ marketplace: shop, item: rose, seller: null, royalty: ALICE }, 2))
    await service.call('local.setAccount', { address: rawOf(sale), balance: '1000000000', code: b64(mainnetCode('8278f4c5233d')), data })
    await service.settle()
    const listed = await wallet.send(internal({ to: rose, value: '0.3', body: nftTransfer(sale, wallet.address, toNano('0.1')) }))
    expect(types(await service.actionsOf(listed))).toEqual(['nft_transfer'])
    const buyer = await service.v5()
    const bought = await buyer.send(internal({ to: sale, value: '3.2', bounce: true }))
    const told = await service.actionsOf(bought)
    expect(types(told)).toEqual(['nft_purchase', 'ton_transfer', 'ton_transfer'])
    expect(told.find(({ type }) => type === 'nft_purchase')).toMatchObject({
      details: { nft_item: rawOf(rose), new_owner: buyer.raw, price: '2000000000', is_purchase: true },
    })
    const old = await service.actionsOf(bought, '&supported_action_types=v1')
    expect(types(old)).toContain('nft_transfer')
    expect(types(old)).not.toContain('nft_purchase')
  })

  it('a record of a name', async () => {
    const zone = await service.call('local.deployCollection', { kind: 'dns', owner: wallet.raw })
    const name = Address.parse(
      (await service.call('local.mintNft', { collection: zone.address, owner: wallet.raw, domain: 'alice' })).address,
    )
    await service.settle()
    // change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:(Maybe ^DNSRecord); dns_smc_address#9fd3 smc_addr:MsgAddress flags:uint8
    const key = 'e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b'
    const record = beginCell().storeUint(0x9fd3, 16).storeAddress(wallet.address).storeUint(0, 8).endCell()
    const body = beginCell().storeUint(0x4eb1f0f9, 32).storeUint(0, 64).storeBuffer(Buffer.from(key, 'hex')).storeRef(record).endCell()
    const told = await service.actionsOf(await wallet.send(internal({ to: name, value: '0.2', body })))
    expect(told.find(({ type }) => type === 'change_dns')).toMatchObject({
      details: { key, value: { sum_type: 'DNSSmcAddress', dns_smc_address: wallet.raw }, source: wallet.raw, asset: rawOf(name) },
    })
  })
})

describe('traces', () => {
  it('come with their actions where they are asked for, and say that they are classified', async () => {
    const { traces } = await service.call('v3.traces', { account: wallet.raw, include_actions: true, limit: 3 })
    for (const { actions, trace_info } of traces) {
      expect(trace_info.classification_state).toBe('ok')
      expect(actions!.length).toBeGreaterThan(0)
    }
    const [first] = (await service.call('v3.traces', { limit: 1 })).traces
    expect(first!.actions).toBeUndefined()
  })
})
