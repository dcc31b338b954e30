import { Address, beginCell, comment, internal, toNano } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ParamsIn, Result } from '../../../shared/registry.ts'
import { account, b64, jettonBurn, jettonTransfer, mainnetCode, nftTransfer } from '../../index/topics/kit.ts'
import { fixedPrice } from '../../index/topics/sales.ts'
import { createRandom } from '../../kit/random.ts'
import { ask } from '../../kit/service/client.ts'
import { type Action, type ActionsService, rawOf, startActions, type Wallet } from './kit.ts'

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
  it('a transfer with a comment is told as an action, with all of its fields', async () => {
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

  it('four transfers of one order, one of which bounces, are actions', async () => {
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

  it('the deployment of a wallet v5 and its transfers to many are actions', async () => {
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

describe('wallets of version 3', () => {
  it.each([
    [1, 'b61041a58a79'],
    [2, '84dafa449f98'],
  ] as const)('wallet v3 revision %i is deployed with the code of mainnet and sends', async (revision, code) => {
    const three = await service.v3(revision)
    const { accounts } = await service.call('v3.accountStates', { address: [three.raw] })
    expect(accounts[0]?.code_hash).toBe(mainnetCode(code).hash().toString('base64'))
    expect(types((await service.actions({ account: three.raw })).actions)).toEqual(['contract_deploy', 'ton_transfer'])
    const told = await service.actionsOf(
      await three.send(
        internal({ to: ALICE, value: '0.5', bounce: false, body: comment('from three') }),
        internal({ to: BOB, value: '0.25', bounce: false, body: beginCell().storeUint(0x55667788, 32).endCell() }),
      ),
    )
    expect(told.map(({ type, success, details }) => [type, success, details['comment'] ?? details['opcode'], details['source']])).toEqual(
      expect.arrayContaining([
        ['ton_transfer', true, 'from three', three.raw],
        // Nobody is there to run it.
        ['call_contract', false, '0x55667788', three.raw],
      ]),
    )
    expect(told.length).toBe(2)
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

  it('a jetton mint is told as an action', async () => {
    const { actions } = await service.actions({ account: rawOf(own), action_type: ['jetton_mint'] })
    expect(actions).toMatchObject([
      { success: true, details: { asset: jetton, receiver: wallet.raw, receiver_jetton_wallet: rawOf(own), amount: '1000' } },
    ])
  })

  it('a jetton transfer with a comment is one action, in its block', async () => {
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

  it('a transfer of too many jettons fails, and a burn goes through', async () => {
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

  it('an NFT mint is told as an action', async () => {
    const { actions } = await service.actions({ account: rawOf(item), action_type: ['nft_mint'] })
    expect(actions).toMatchObject([{ success: true, details: { nft_item: rawOf(item), nft_collection: collection, nft_item_index: '0' } }])
  })

  it('an NFT transfer is told as an action', async () => {
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

  it('the mint, the refused transfer and the revocation of a soul-bound token are actions', async () => {
    const diplomas = rawOf(
      Address.parse((await service.call('local.deployCollection', { kind: 'sbt', name: 'Diplomas', owner: wallet.raw })).address),
    )
    const sbt = Address.parse(
      (await service.call('local.mintNft', { collection: diplomas, owner: wallet.raw, name: 'Master', authority: wallet.raw })).address,
    )
    await service.settle()
    const { actions } = await service.actions({ account: rawOf(sbt), action_type: ['nft_mint'] })
    expect(actions).toMatchObject([{ success: true, details: { nft_item: rawOf(sbt), nft_collection: diplomas } }])
    const refused = await service.actionsOf(
      await wallet.send(internal({ to: sbt, value: '0.2', body: nftTransfer(ALICE, wallet.address, 1n) })),
    )
    expect(refused[0]).toMatchObject({ success: false, details: { nft_item: rawOf(sbt), old_owner: wallet.raw } })
    const { nft_items } = await service.call('v3.nft.items', { address: [rawOf(sbt)] })
    expect(nft_items[0]?.owner_address).toBe(wallet.raw)
    // revoke#6f89f5e3 query_id:uint64 (TEP-85)
    const revoke = beginCell().storeUint(0x6f89f5e3, 32).storeUint(1, 64).endCell()
    const revoked = await service.actionsOf(await wallet.send(internal({ to: sbt, value: '0.2', body: revoke })))
    expect(revoked).toMatchObject([{ type: 'call_contract', success: true, details: { opcode: '0x6f89f5e3', destination: rawOf(sbt) } }])
  })

  it('a purchase is an action, and older clients get its parts', async () => {
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

describe('what clients read', () => {
  it('mytonwallet: every party has a name in the book, pages go back by trace_end_lt, the parts of an activity by action_id', async () => {
    const path = `actions?account=${wallet.raw}&limit=20&sort=desc&include_accounts=true`
    const { body } = await service.get<Result<'v3.actions'>>(`${path}&supported_action_types=v1&supported_action_types=jvault&_=1`)
    expect(body.actions.length).toBeGreaterThan(5)
    for (const action of body.actions) {
      expect(action).toMatchObject({ action_id: expect.any(String), trace_id: expect.any(String), trace_external_hash: expect.any(String) })
      expect(action.accounts).toContain(wallet.raw)
      for (const name of [
        'source',
        'destination',
        'sender',
        'receiver',
        'old_owner',
        'new_owner',
        'asset',
        'nft_item',
        'nft_collection',
      ] as const) {
        const party = action.details[name]
        if (typeof party === 'string') expect(body.address_book[party]?.user_friendly, `${action.type} ${name}`).toMatch(/^[EU][Qf]/)
      }
    }
    const ends = body.actions.map(({ trace_end_lt }) => BigInt(trace_end_lt))
    expect(ends).toEqual([...ends].sort((a, b) => (a < b ? 1 : -1)))
    const older = await service.get<Result<'v3.actions'>>(`${path}&end_lt=${ends.at(-1)! - 1n}`)
    expect(older.body.actions.every(({ trace_end_lt }) => BigInt(trace_end_lt) < ends.at(-1)!)).toBe(true)
  })

  it('explorers: one action by its id with its transactions whole, and the same by cursor and by offset', async () => {
    const { actions } = await service.actions({ account: wallet.raw, limit: 4 })
    const { body } = await service.get<Result<'v3.actions'>>(
      `actions?action_id=${encodeURIComponent(actions[0]!.action_id)}&include_transactions=true`,
    )
    expect(body.actions.map(({ action_id }) => action_id)).toEqual([actions[0]!.action_id])
    const [{ transactions, transactions_full }] = body.actions as [Action]
    expect(transactions_full!.map(({ hash }) => hash).sort()).toEqual([...transactions].sort())
    const ids: string[] = []
    for (let cursor: string | null | undefined = ''; ids.length < 4; ) {
      const page: Result<'v3.actions'> = await service.actions({ account: wallet.raw, limit: 1, cursor: cursor! })
      ids.push(...page.actions.map(({ action_id }) => action_id))
      cursor = page.next_cursor
    }
    expect(ids).toEqual(actions.map(({ action_id }) => action_id))
    const second = await service.actions({ account: wallet.raw, limit: 1, offset: 1 })
    expect(second.actions[0]?.action_id).toBe(ids[1])
  })

  it('filters narrow as they are meant to, and what is malformed is refused', async () => {
    const only = await service.actions({ account: wallet.raw, action_type: ['jetton_transfer', 'jetton_burn'], limit: 50 })
    expect(new Set(types(only.actions))).toEqual(new Set(['jetton_burn', 'jetton_transfer']))
    const rest = await service.actions({ account: wallet.raw, exclude_action_type: ['ton_transfer', 'call_contract'], limit: 50 })
    expect(types(rest.actions)).not.toContain('ton_transfer')
    const [first] = only.actions as [Action]
    const block = await service.actions({ mc_seqno: first.trace_mc_seqno_end, limit: 50 })
    expect(block.actions.map(({ action_id }) => action_id)).toContain(first.action_id)
    const timed = await service.actions({
      account: wallet.raw,
      start_utime: first.trace_end_utime,
      end_utime: first.trace_end_utime,
      limit: 50,
    })
    expect(timed.actions.map(({ action_id }) => action_id)).toContain(first.action_id)
    const own = await service.actions({ account: rawOf(ALICE), initiated_by_account: true, limit: 50 })
    expect(own.actions).toEqual([])
    for (const [query, status] of [
      ['mc_seqno=999999', 404],
      ['action_type=a-b', 422],
      ['cursor=AAAA', 422],
      ['cursor=&offset=1', 422],
      ['limit=1001', 422],
      ['tx_hash=zz', 422],
    ] as const)
      expect([query, (await service.get(`actions?${query}`)).status]).toEqual([query, status])
  })
})

/** Actions of every kind that these wallets made, and filters with what they should leave of them, written without a database. */
describe('every filter of v3.actions, alone and with others', () => {
  type Filter = ParamsIn<'v3.actions'>
  /** One filter: its parameters, and the actions that it leaves. */
  type Rule = readonly [params: Filter, keeps: (action: Action) => boolean]
  const ends = ({ trace_end_lt }: Action): bigint => BigInt(trace_end_lt)
  const messagesOf = ({ in_msg, out_msgs }: NonNullable<Action['transactions_full']>[number]) =>
    in_msg === null ? out_msgs : [in_msg, ...out_msgs]
  /** Whether a transaction of the account sent the first message of the action. */
  const isBegunBy = ({ transactions_full, start_lt }: Action, who: string): boolean =>
    transactions_full!.some(({ account: of, out_msgs }) => of === who && out_msgs.some(({ created_lt }) => created_lt === start_lt))

  const rulesOf = (all: readonly Action[], { pick, chance }: ReturnType<typeof createRandom>): readonly Rule[] => {
    const one = pick(all)
    const other = pick(all)
    const who = pick(one.accounts!)
    const mine = chance(0.5)
    const transaction = pick(one.transactions_full!)
    const byTransaction = chance(0.5)
    const hash = byTransaction && chance(0.5) ? undefined : pick(messagesOf(chance(0.5) ? transaction : pick(one.transactions_full!))).hash
    return [
      [
        mine ? { account: who, initiated_by_account: true } : { account: who },
        (action) => action.accounts!.includes(who) && (!mine || isBegunBy(action, who)),
      ],
      [
        {
          ...(byTransaction && { tx_hash: [transaction.hash] }),
          ...(hash !== undefined && { msg_hash: [hash] }),
        },
        // Both together are about one transaction.
        ({ transactions_full }) =>
          transactions_full!.some(
            (each) =>
              (!byTransaction || each.hash === transaction.hash) &&
              (hash === undefined || messagesOf(each).some((message) => message.hash === hash)),
          ),
      ],
      [{ mc_seqno: one.trace_mc_seqno_end }, ({ trace_mc_seqno_end }) => trace_mc_seqno_end === one.trace_mc_seqno_end],
      [{ start_lt: one.trace_end_lt }, (action) => ends(action) >= ends(one)],
      [{ end_lt: other.trace_end_lt }, (action) => ends(action) <= ends(other)],
      [{ start_utime: one.trace_end_utime }, ({ trace_end_utime }) => trace_end_utime >= one.trace_end_utime],
      [{ end_utime: other.trace_end_utime }, ({ trace_end_utime }) => trace_end_utime <= other.trace_end_utime],
      [{ action_type: [one.type, other.type] }, ({ type }) => type === one.type || type === other.type],
      [{ exclude_action_type: [other.type] }, ({ type }) => type !== other.type],
      [{ as_of: one.trace_mc_seqno_end }, ({ trace_mc_seqno_end }) => trace_mc_seqno_end <= one.trace_mc_seqno_end],
    ]
  }

  const WHOLE = { limit: 1000, include_accounts: true, include_transactions: true }
  const ids = (actions: readonly Action[]): string[] => actions.map(({ action_id }) => action_id)

  it('random filters leave exactly the actions that they describe, in the same order, page by page, in both directions', async () => {
    const { actions: all } = await service.actions(WHOLE)
    expect(new Set(types(all)).size).toBeGreaterThan(8)
    const random = createRandom(19)
    let found = 0
    for (let i = 0; i < 50; i++) {
      const rules = rulesOf(all, random).filter(() => random.chance(0.3))
      const params: Filter = Object.assign({}, ...rules.map(([given]) => given))
      const kept = ids(all.filter((action) => rules.every(([, keeps]) => keeps(action))))
      const asked = JSON.stringify(params)
      expect(ids((await service.actions({ ...params, limit: 1000 })).actions), asked).toEqual(kept)
      const rising = await service.actions({ ...params, sort: 'asc', limit: 7, offset: 2 })
      expect(ids(rising.actions), asked).toEqual([...kept].reverse().slice(2, 9))
      if (kept.length > 0) found++
    }
    expect(found).toBeGreaterThan(12)
  })

  it('ids of actions exclude all other filters, and ids of traces without an account those by type, time and transaction', async () => {
    const { actions: all } = await service.actions(WHOLE)
    const [first, last] = [all[0]!, all.at(-1)!]
    const nowhere = { end_lt: '1', action_type: ['tick_tock'], mc_seqno: 1 }
    expect(ids((await service.actions({ ...nowhere, account: rawOf(BOB), action_id: ids([first, last]) })).actions)).toEqual(
      ids([first, last]),
    )
    const ofTrace = all.filter(({ trace_id }) => trace_id === last.trace_id)
    expect(ids((await service.actions({ ...nowhere, trace_id: [last.trace_id!], limit: 100 })).actions)).toEqual(ids(ofTrace))
    const narrowed = { ...nowhere, account: last.accounts![0]!, trace_id: [last.trace_id!] }
    expect((await service.actions(narrowed)).actions).toEqual([])
  })

  it('the header X-Actions-Version replaces the types of the query', async () => {
    const path = 'actions?limit=1000&supported_action_types=v1'
    const [old, latest] = await Promise.all([
      service.get<Result<'v3.actions'>>(path),
      ask<Result<'v3.actions'>>(`${service.url}/api/v3/${path}`, { headers: { 'X-Actions-Version': 'latest' } }),
    ])
    expect(types(old.body.actions)).not.toContain('nft_purchase')
    expect(ids(latest.body.actions)).toEqual(ids((await service.actions(WHOLE)).actions))
  })
})

describe('traces', () => {
  it('traces come with their actions if they are asked for, and say that they are classified', async () => {
    const { traces } = await service.call('v3.traces', { account: wallet.raw, include_actions: true, limit: 3 })
    for (const { actions, trace_info } of traces) {
      expect(trace_info.classification_state).toBe('ok')
      expect(actions!.length).toBeGreaterThan(0)
    }
    const [first] = (await service.call('v3.traces', { limit: 1 })).traces
    expect(first!.actions).toBeUndefined()
  })

  it('traces are told as events too, with their actions', async () => {
    const { events, ...rest } = await service.call('v3.events', { account: wallet.raw, limit: 3 })
    const { traces, ...same } = await service.call('v3.traces', { account: wallet.raw, include_actions: true, limit: 3 })
    expect([events, rest]).toEqual([traces, same])
    const { body } = await service.get<Result<'v3.events'>>(`events?account=${wallet.raw}&limit=3`)
    expect(body.events).toEqual(events)
    expect((await service.call('v3.events', { limit: 1, include_actions: false })).events[0]!.actions).toBeUndefined()
  })
})
