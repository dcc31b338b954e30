import { Address, beginCell, comment, internal, SendMode } from '@ton/core'
import { JettonMaster, TonClient, WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { account, jettonTransfer, nftTransfer } from '../../index/topics/kit.ts'
import { sleep } from '../../kit/wait.ts'
import { type ActionsService, rawOf, startActions, type Wallet } from './kit.ts'
import { action, book, common, decimal, details, hash, metadata, node, raw, seconds, text, transaction } from './schemas.ts'

/*
 * What wallets and explorers ask for and which fields they read, from their sources: mytonwallet (src/api/chains/ton/toncenter), walletkit
 * (ton-connect/kit, packages/walletkit/src/clients/toncenter and types/toncenter) and Acton's explorer. Each test makes the request as the client
 * writes it and reads the answer with a schema of just the fields that the client reads without a check of its own.
 */

let service: ActionsService
let wallet: Wallet
let jetton: string
let jettonWallet: string
let collection: string
let item: string
const ALICE = account(0xa1)

beforeAll(async () => {
  service = await startActions()
  wallet = await service.v4()
  jetton = rawOf(Address.parse((await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })).address))
  const own = Address.parse((await service.call('local.mintJetton', { jetton, owner: wallet.raw, amount: '1000' })).address)
  jettonWallet = rawOf(own)
  collection = rawOf(Address.parse((await service.call('local.deployCollection', { name: 'Leaves', owner: wallet.raw })).address))
  const minted = Address.parse((await service.call('local.mintNft', { collection, owner: wallet.raw, name: 'one' })).address)
  item = rawOf(minted)
  await service.settle()
  await wallet.send(internal({ to: ALICE, value: '1', bounce: false, body: comment('thanks') }))
  await wallet.send(internal({ to: ALICE, value: '1', bounce: true, body: beginCell().storeUint(0x11223344, 32).endCell() }))
  await wallet.send(internal({ to: own, value: '0.2', body: jettonTransfer(250n, ALICE, wallet.address, 1n, comment('rent')) }))
  await wallet.send(internal({ to: minted, value: '0.2', body: nftTransfer(ALICE, wallet.address, 1n) }))
  await service.v5()
})
afterAll(() => service?.close())

/** GET as the client writes it. The answer must have all the fields. */
const read = async <T>(path: string, schema: z.ZodType<T>, headers: Record<string, string> = {}): Promise<T> => {
  const response = await fetch(`${service.url}/api/v3/${path}`, { headers })
  const body: unknown = await response.json()
  expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, expect.stringContaining('application/json')])
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** Every raw address within a value. */
const named = (value: unknown): string[] =>
  typeof value === 'string'
    ? raw.safeParse(value).success
      ? [value]
      : []
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(named)
      : []

describe('TonClient', () => {
  it('TonClient sends a jetton transfer with a comment, which is shown as one jetton_transfer with its comment within one block', async () => {
    const { publicKey, secretKey } = await service.keys()
    const client = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC` })
    const sender = client.open(WalletContractV4.create({ workchain: 0, publicKey }))
    const master = client.open(JettonMaster.create(Address.parse(jetton)))
    const to = await master.getWalletAddress(sender.address)
    const receiver = account(0xa7)
    const seqno = await sender.getSeqno()
    const body = jettonTransfer(7n, receiver, sender.address, 1n, comment('for the cake'))
    await sender.sendTransfer({ seqno, secretKey, messages: [internal({ to, value: '0.2', body })], sendMode: SendMode.PAY_GAS_SEPARATELY })
    wallet.sent()
    // Each answer is of one moment: a trace that is complete must have its actions in the same answer.
    const find = async () => (await service.call('v3.traces', { account: rawOf(receiver), include_actions: true })).traces[0]
    let seen = await find()
    while (seen?.trace_info.trace_state !== 'complete') {
      await sleep(5)
      seen = await find()
    }
    expect(Number(seen.mc_seqno_end) - Number(seen.mc_seqno_start)).toBeLessThanOrEqual(1)
    const transfers = seen.actions!.filter(({ type }) => type === 'jetton_transfer')
    expect(transfers).toMatchObject([
      { success: true, details: { asset: jetton, sender: wallet.raw, receiver: rawOf(receiver), amount: '7', comment: 'for the cake' } },
    ])
    await service.settle()
  })
})

describe('mytonwallet', () => {
  const headers = { 'X-Actions-Version': 'v1' }
  const actions = z.object({ actions: z.array(action), address_book: book, metadata })
  const mine = (more = ''): string => `actions?account=${wallet.raw}&limit=60&sort=desc${more}&_=${Date.now()}`

  it('mytonwallet reads its history: every field of every type, and the name of every account in the details', async () => {
    const answer = await read(mine(), actions, headers)
    // A mint is listed under the item and its collection: nobody asked its owner.
    const minted = await read(`actions?account=${item}&action_type=nft_mint`, actions, headers)
    expect(new Set([...answer.actions, ...minted.actions].map(({ type }) => type))).toEqual(new Set(Object.keys(details)))
    for (const { type, details: of } of answer.actions)
      for (const address of named(of)) expect(answer.address_book[address], `${type} ${address}`).toBeDefined()
    expect(answer.metadata[jetton]?.token_info.map(({ type }) => type)).toEqual(['jetton_masters'])
    expect(answer.metadata[item]?.token_info.map(({ type }) => type)).toEqual(['nft_items'])
    expect(answer.metadata[collection]?.token_info.map(({ type }) => type)).toEqual(['nft_collections'])
  })

  it('mytonwallet asks for types joined by commas, with and without them, and for one action by its id', async () => {
    const only = await read(mine('&action_type=jetton_transfer,nft_transfer'), actions, headers)
    expect(new Set(only.actions.map(({ type }) => type))).toEqual(new Set(['jetton_transfer', 'nft_transfer']))
    const rest = await read(mine('&exclude_action_type=jetton_transfer,nft_transfer'), actions, headers)
    expect(rest.actions.map(({ type }) => type)).not.toContain('nft_transfer')
    const [{ action_id }] = only.actions as unknown as [{ action_id: string }]
    const one = await read(`actions?action_id=${encodeURIComponent(action_id)}&limit=1&sort=desc`, actions, headers)
    expect(one.actions).toEqual([expect.objectContaining({ action_id })])
  })

  it('mytonwallet asks for what is pending, and for a trace by its id and then by the normalized hash of its message', async () => {
    await read(`pendingActions?account=${wallet.raw}`, actions, headers)
    const answer = await read(mine('&action_type=jetton_transfer'), actions, headers)
    const [{ trace_id, trace_external_hash, trace_external_hash_norm }] = answer.actions as unknown as [z.infer<z.ZodObject<typeof common>>]
    const traces = z.object({
      traces: z.array(
        z.object({
          ...{ trace_id: hash, external_hash: hash, start_lt: decimal, end_lt: decimal, start_utime: seconds, end_utime: seconds },
          ...{ mc_seqno_start: decimal, mc_seqno_end: decimal, is_incomplete: z.literal(false), trace: node },
          trace_info: z.object({
            ...{ trace_state: z.literal('complete'), messages: z.number(), transactions: z.number(), pending_messages: z.literal(0) },
            classification_state: z.literal('ok'),
          }),
          actions: z.array(action),
          transactions_order: z.array(hash),
          transactions: z.record(hash, transaction),
        }),
      ),
      address_book: book,
      metadata,
    })
    for (const by of [`trace_id=${trace_id}`, `msg_hash=${trace_external_hash_norm ?? trace_external_hash}`]) {
      const found = await read(`traces?${by.replaceAll('+', '%2B')}&include_actions=true`, traces, headers)
      expect(found.traces.map((trace) => trace.trace_id)).toEqual([trace_id])
      const [{ transactions, transactions_order, actions: told, trace }] = found.traces as [(typeof found.traces)[number]]
      expect(Object.keys(transactions).sort()).toEqual([...transactions_order].sort())
      expect(trace.tx_hash).toBe(transactions_order[0])
      expect(told.map(({ type }) => type)).toContain('jetton_transfer')
      for (const { in_msg, out_msgs } of Object.values(transactions))
        for (const address of [in_msg, ...out_msgs].flatMap(({ source, destination }) => [source, destination]))
          if (address !== null) expect(found.address_book[address], address).toBeDefined()
    }
  })

  it('mytonwallet reads transactions with the names of who sent and who received', async () => {
    const answer = await read(
      `transactions?account=${wallet.raw}&limit=20&sort=desc`,
      z.object({ transactions: z.array(transaction).min(4), address_book: book }),
    )
    for (const { in_msg, out_msgs } of answer.transactions)
      for (const { source, destination } of in_msg.source !== null && out_msgs.length === 0 ? [in_msg] : out_msgs) {
        expect(answer.address_book[source!], 'source').toBeDefined()
        expect(answer.address_book[destination!], 'destination').toBeDefined()
      }
  })

  it('mytonwallet reads states of wallets, metadata and names of many accounts: joined by commas, or repeated', async () => {
    const friendly = wallet.address.toString({ bounceable: false })
    const states = await read(
      `walletStates?address=${friendly},${ALICE.toString()}`,
      z.object({ wallets: z.array(z.object({ address: raw, balance: decimal, status: z.string() })), address_book: book }),
    )
    expect(states.address_book[wallet.raw]?.interfaces).toEqual(['wallet_v4r2'])
    const told = await read(`metadata?address=${jetton},${item}`, metadata)
    expect(Object.keys(told)).toEqual(expect.arrayContaining([jetton, item]))
    const names = await read(`addressBook?address=${friendly}&address=${jetton}`, book)
    expect(Object.keys(names)).toEqual([friendly, jetton])
  })
})

describe('walletkit', () => {
  const trace = z.object({
    ...{ trace_id: hash, external_hash: hash, start_lt: decimal, start_utime: seconds, is_incomplete: z.boolean(), trace: node },
    trace_info: z.object({ trace_state: z.string(), messages: z.number(), pending_messages: z.number() }),
    transactions_order: z.array(hash).min(1),
    transactions: z.record(hash, transaction),
  })
  const traces = z.object({ traces: z.array(trace).min(1), address_book: book, metadata })
  type Traces = z.infer<typeof traces>
  const decodedOf = ({ traces: all }: Traces): Record<string, unknown>[] =>
    all
      .flatMap(({ transactions }) => Object.values(transactions))
      .flatMap(
        ({
          in_msg: {
            message_content: { decoded },
          },
        }) => (decoded === null ? [] : [decoded]),
      )

  it('walletkit makes events of traces: decoded transfers with amounts, addresses and comments, wallets by their interfaces', async () => {
    const answer = await read(`traces?account=${encodeURIComponent(wallet.address.toString())}&limit=20&offset=0`, traces)
    const decoded = decodedOf(answer)
    const std = z.object({ workchain_id: z.string(), address: z.string().regex(/^[0-9A-F]{64}$/) })
    const amount = z.object({ value: decimal })
    const payload = z.object({ value: z.object({ '@type': z.literal('text_comment'), text: z.string() }) })
    const transfers = decoded.filter((body) => body['@type'] === 'jetton_transfer')
    const told = z.array(z.object({ amount, destination: std, forward_payload: payload })).parse(transfers)
    expect(told.map(({ forward_payload }) => forward_payload.value.text)).toContain('rent')
    z.object({ amount, from: std }).parse(decoded.find((body) => body['@type'] === 'jetton_internal_transfer'))
    z.object({ new_owner: std }).parse(decoded.find((body) => body['@type'] === 'nft_transfer'))
    expect(decoded.some((body) => body['@type'] === 'text_comment' && body['comment'] === 'thanks')).toBe(true)
    expect(answer.address_book[wallet.raw]?.interfaces?.some((name) => name.includes('wallet'))).toBe(true)
    const wallets = z.object({
      token_info: z.array(z.object({ type: z.literal('jetton_wallets'), extra: z.object({ balance: decimal, jetton: raw, owner: raw }) })),
    })
    expect(wallets.parse(answer.metadata[jettonWallet]).token_info.length).toBe(1)
  })

  it('walletkit finds a trace by any of three hashes, and what does not decode is 422 at once', async () => {
    const [{ trace_id, transactions_order, external_hash }] = (await read(`traces?account=${wallet.raw}&limit=1`, traces)).traces as [
      z.infer<typeof trace>,
    ]
    for (const by of [`tx_hash=${transactions_order.at(-1)}`, `trace_id=${trace_id}`, `msg_hash=${external_hash}`])
      expect((await read(`traces?${by.replaceAll('+', '%2B')}`, traces)).traces.map((found) => found.trace_id)).toEqual([trace_id])
    expect((await service.get('traces?tx_hash=not-a-hash')).status).toBe(422)
    const none = await service.get<{ traces: unknown[] }>(`pendingTraces?ext_msg_hash=${encodeURIComponent(external_hash)}`)
    expect([none.status, none.body.traces]).toEqual([200, []])
  })

  it('walletkit reads transactions of an account and of a message, with states, phases and bodies', async () => {
    const list = z.object({ transactions: z.array(transaction).min(1), address_book: book })
    const { transactions } = await read(`transactions?account=${wallet.raw}&limit=10&offset=0`, list)
    const sent = transactions.find(({ out_msgs }) => out_msgs.length > 0)!
    const found = await read(`transactionsByMessage?msg_hash=${encodeURIComponent(sent.in_msg.hash)}`, list)
    expect(found.transactions.map((each) => each.hash)).toEqual([sent.hash])
  })

  it('walletkit reads jettons of an owner with the master in the metadata: name, symbol and decimals', async () => {
    const answer = await read(
      `jetton/wallets?owner_address=${wallet.raw}&offset=0&limit=50`,
      z.object({
        jetton_wallets: z.array(z.object({ address: raw, balance: decimal, jetton: raw, owner: raw })).min(1),
        metadata: z.record(raw, z.object({ is_indexed: z.boolean(), token_info: z.array(z.looseObject({ type: z.string() })) })),
      }),
    )
    const master = answer.metadata[jetton]?.token_info.find(({ type }) => type === 'jetton_masters')
    expect(master).toMatchObject({ name: 'Acorn', symbol: 'ACRN', extra: { decimals: '9' } })
    const masters = await read(
      `jetton/masters?address=${jetton}&offset=0&limit=10`,
      z.object({ jetton_masters: z.array(z.looseObject({})) }),
    )
    expect(masters.jetton_masters).toMatchObject([{ address: jetton, jetton_content: { name: 'Acorn' } }])
  })

  it('walletkit reads NFTs by address and by owner, and names of accounts both ways', async () => {
    const nft = z.object({
      ...{ address: raw, index: decimal, init: z.boolean(), on_sale: z.boolean(), owner_address: raw, real_owner: raw.nullish() },
      ...{ collection_address: raw, collection: z.object({ address: raw, next_item_index: decimal, owner_address: raw }) },
      ...{ code_hash: hash, data_hash: hash, content: z.object({ name: z.literal('one') }) },
    })
    const items = z.object({ nft_items: z.array(nft).length(1), address_book: book, metadata })
    expect((await read(`nft/items?address=${item}`, items)).nft_items[0]?.owner_address).toBe(rawOf(ALICE))
    await read(`nft/items?owner_address=${rawOf(ALICE)}&limit=10&offset=0`, items)
    const zone = await service.call('local.deployCollection', { kind: 'dns', owner: wallet.raw })
    await service.call('local.mintNft', { collection: zone.address, owner: wallet.raw, domain: 'alice' })
    await service.settle()
    const record = z.object({
      ...{ domain: z.literal('alice.ton'), nft_item_address: raw, nft_item_owner: raw, dns_wallet: raw.nullable() },
      ...{ dns_next_resolver: raw.nullable(), dns_site_adnl: text, dns_storage_bag_id: text },
    })
    await read('dns/records?domain=alice.ton&limit=1&offset=0', z.object({ records: z.array(record).length(1), address_book: book }))
  })

  it('walletkit reads the state of an account, the result of a get-method and the head', async () => {
    const state = z.object({
      ...{ balance: decimal, status: z.literal('active'), code: z.string(), data: z.string(), last_transaction_hash: hash },
      ...{ last_transaction_lt: decimal, extra_currencies: z.array(z.unknown()).optional(), frozen_hash: z.literal('').nullish() },
    })
    await read(`addressInformation?include_boc=true&address=${encodeURIComponent(wallet.address.toString())}`, state)
    const ran = await service.call('v3.runGetMethod', { address: wallet.raw, method: 'seqno', stack: [] })
    expect(ran).toMatchObject({ gas_used: expect.any(Number), exit_code: 0, stack: [{ type: 'num', value: expect.any(String) }] })
    const block = z.object({ workchain: z.literal(-1), seqno: z.number(), shard: z.string(), root_hash: hash, file_hash: hash })
    await read('masterchainInfo', z.object({ last: block, first: block }))
  })
})

/*
 * Acton's explorer (apps/explorer/src/explorer/api of ton-blockchain/acton): its requests as its client writes them, and the members that its models
 * declare without a question mark.
 */
describe("Acton's explorer", () => {
  const list = z.object({ transactions: z.array(transaction).min(1), address_book: book })
  /** The explorer writes hashes as hex. */
  const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')
  const newest = async () => (await read(`transactions?account=${wallet.raw}&limit=20&sort=desc`, list)).transactions

  it('the explorer reads accounts: one, many with their methods and interfaces, and one that nobody has used', async () => {
    const information = z.object({
      ...{ balance: decimal, code: text, data: text, frozen_hash: text, last_transaction_hash: z.string(), last_transaction_lt: decimal },
      status: z.enum(['active', 'uninitialized', 'uninit', 'frozen', 'nonexist']),
    })
    await read(`addressInformation?address=${wallet.raw}&include_boc=true`, information)
    const unused = await read(`addressInformation?address=0:${'77'.repeat(32)}&include_boc=true`, information)
    expect(unused).toMatchObject({ balance: '0', status: 'uninit' })
    const states = z.object({
      accounts: z.array(
        z.object({
          ...{ account_state_hash: hash, address: raw, balance: decimal, contract_methods: z.array(z.number()).min(1) },
          ...{
            code_boc: z.string(),
            code_hash: hash,
            data_boc: z.string(),
            data_hash: hash,
            extra_currencies: z.record(z.string(), decimal),
          },
          ...{
            interfaces: z.array(z.string()).min(1),
            last_transaction_hash: hash,
            last_transaction_lt: decimal,
            status: z.literal('active'),
          },
        }),
      ),
      ...{ address_book: book, metadata },
    })
    const { accounts } = await read(`accountStates?address=${wallet.raw}&address=${jetton}&include_boc=true`, states)
    expect(new Set(accounts.map(({ address }) => address))).toEqual(new Set([wallet.raw, jetton]))
  })

  it('the explorer reads the history of an account: its transactions and its actions, and the actions of one trace in a window', async () => {
    expect((await newest()).length).toBeGreaterThan(3)
    expect((await read('transactions?limit=10', list)).transactions.length).toBeGreaterThan(1)
    const told = z.object({
      actions: z.array(z.looseObject({ ...common, finality: z.literal('finalized') })),
      address_book: book,
      metadata,
    })
    const all = await read(`actions?account=${wallet.raw}&limit=20&sort=desc`, told)
    for (const { transactions } of all.actions) expect(transactions.length).toBeGreaterThan(0)
    const [{ trace_id, trace_end_lt }] = all.actions as [(typeof all.actions)[number]]
    const window = `&start_lt=${trace_end_lt}&end_lt=${trace_end_lt}`
    const one = await read(`actions?account=${wallet.raw}&trace_id=${hexOf(trace_id)}${window}&limit=20&sort=asc`, told)
    expect(new Set(one.actions.map((each) => each.trace_id))).toEqual(new Set([trace_id]))
  })

  it('the explorer reads a transaction by its hash and by its message, with its trace and the actions in it', async () => {
    const sent = (await newest()).find(({ out_msgs }) => out_msgs.length > 0)!
    const byHash = await read(`transactions?hash=${hexOf(sent.hash)}&limit=1`, list)
    expect(byHash.transactions).toEqual([sent])
    const byMessage = await read(`transactionsByMessage?msg_hash=${hexOf(sent.in_msg.hash)}&direction=in&limit=1`, list)
    expect(byMessage.transactions).toEqual([sent])
    const traces = z.object({
      traces: z
        .array(
          z.object({
            ...{ trace_id: hash, mc_seqno_start: decimal, mc_seqno_end: decimal, start_lt: decimal, end_lt: decimal },
            ...{ start_utime: seconds, end_utime: seconds, is_incomplete: z.boolean(), trace: node },
            ...{ transactions: z.record(hash, transaction), transactions_order: z.array(hash).min(1) },
            actions: z.array(z.looseObject(common)).optional(),
            trace_info: z.object({
              ...{ transactions: z.number(), messages: z.number(), pending_messages: z.number() },
              ...{ trace_state: z.string(), classification_state: z.string() },
            }),
          }),
        )
        .length(1),
      ...{ address_book: book, metadata },
    })
    const byTransaction = await read(`traces?tx_hash=${hexOf(sent.hash)}&include_actions=true`, traces)
    expect(byTransaction.traces[0]!.actions!.length).toBeGreaterThan(0)
    const bySent = await read(`traces?msg_hash=${hexOf(sent.out_msgs[0]!.hash)}`, traces)
    expect(bySent.traces[0]!.trace_id).toBe(sent.trace_id)
  })

  it('the explorer reads jettons: masters with their content, wallets by owner, by master and by address, and all transfers', async () => {
    const masters = z.object({
      jetton_masters: z
        .array(
          z.object({
            ...{ address: raw, admin_address: raw.nullable(), code_hash: hash, data_hash: hash, jetton_wallet_code_hash: hash },
            ...{ last_transaction_lt: decimal, mintable: z.boolean(), total_supply: decimal },
            jetton_content: z.looseObject({ name: z.string(), symbol: z.string() }),
          }),
        )
        .min(1),
      metadata,
    })
    await read(`jetton/masters?address=${jetton}&limit=1`, masters)
    await read('jetton/masters?limit=100&offset=0', masters)
    const fields = {
      address: raw,
      balance: decimal,
      code_hash: hash,
      data_hash: hash,
      jetton: raw,
      last_transaction_lt: decimal,
      owner: raw,
    }
    const wallets = z.object({ jetton_wallets: z.array(z.object(fields)).min(1), metadata })
    for (const by of [`owner_address=${wallet.raw}`, `jetton_address=${jetton}`, `address=${jettonWallet}`]) {
      const answer = await read(`jetton/wallets?${by}`, wallets)
      expect(answer.jetton_wallets.map(({ address }) => address)).toContain(jettonWallet)
      const token = answer.metadata[jetton]?.token_info.find(({ type }) => type === 'jetton_masters')
      expect(token).toMatchObject({ symbol: 'ACRN', extra: { decimals: '9' } })
    }
    const transfers = z.object({
      jetton_transfers: z
        .array(
          z.looseObject({
            ...{ query_id: decimal, source: raw, destination: raw, amount: decimal, source_wallet: raw, jetton_master: raw },
            ...{ transaction_hash: hash, transaction_lt: decimal, transaction_now: seconds, transaction_aborted: z.boolean() },
          }),
        )
        .min(1),
    })
    await read('jetton/transfers?limit=100&sort=desc', transfers)
    const data = await service.call('v3.runGetMethod', { address: jettonWallet, method: 'get_wallet_data', stack: [] })
    expect(data).toMatchObject({ exit_code: 0, stack: [{ type: 'num' }, { type: 'slice' }, { type: 'slice' }, { type: 'cell' }] })
  })

  it('the explorer reads NFTs of an owner, newest first, with flags and names in the metadata', async () => {
    const items = z.object({
      nft_items: z
        .array(
          z.object({
            ...{ address: raw, code_hash: hash, data_hash: hash, content: z.looseObject({}), index: decimal, init: z.boolean() },
            ...{ last_transaction_lt: decimal, on_sale: z.boolean() },
          }),
        )
        .min(1),
      metadata,
    })
    for (const by of [`owner_address=${rawOf(ALICE)}`, `collection_address=${collection}`, `address=${item}`]) {
      const answer = await read(`nft/items?${by}&limit=100&offset=0&sort_by_last_transaction_lt=true`, items)
      expect(answer.metadata[item]?.token_info.find(({ type }) => type === 'nft_items')).toMatchObject({ valid: true, name: 'one' })
      expect(answer.metadata[collection]?.token_info.find(({ type }) => type === 'nft_collections')).toMatchObject({ name: 'Leaves' })
    }
  })

  it('the explorer reads blocks: the latest, those of a shard by every part of their id, and the transactions of one', async () => {
    const blocks = z.object({
      blocks: z
        .array(
          z.looseObject({
            ...{ workchain: z.number(), shard: z.string().regex(/^[0-9A-F]{16}$/), seqno: z.number(), root_hash: hash, file_hash: hash },
            ...{ start_lt: decimal, end_lt: decimal, gen_utime: decimal, tx_count: z.number() },
          }),
        )
        .min(1),
    })
    const [{ block_ref, hash: transactionHash }] = (await newest()) as [z.infer<typeof transaction>]
    const of = `workchain=${block_ref.workchain}&shard=${block_ref.shard}&seqno=${block_ref.seqno}`
    const [block] = (await read(`blocks?${of}`, blocks)).blocks
    const whole = `${of}&root_hash=${encodeURIComponent(block!.root_hash)}&file_hash=${encodeURIComponent(block!.file_hash)}&limit=1`
    expect((await read(`blocks?${whole}`, blocks)).blocks).toEqual([block])
    await read('blocks?workchain=-1&limit=20&offset=0&sort=desc', blocks)
    const inside = await read(`transactions?${of}&limit=100`, list)
    expect(inside.transactions.map((each) => each.hash)).toContain(transactionHash)
    expect(inside.transactions.length).toBe(block!.tx_count)
  })

  it('the explorer asks for multisigs and names that are not there, and gets empty lists', async () => {
    await read(
      `multisig/wallets?address=${wallet.raw}&include_orders=true`,
      z.object({ multisigs: z.array(z.never()), address_book: book }),
    )
    await read(`multisig/orders?address=${wallet.raw}&parse_actions=true`, z.object({ orders: z.array(z.never()), address_book: book }))
    const records = z.object({ records: z.array(z.object({ domain: z.string(), dns_wallet: text })), address_book: book })
    expect((await read('dns/records?domain=nobody-has-it.ton', records)).records).toEqual([])
    expect((await read(`dns/records?wallet=${wallet.raw}&limit=1000`, records)).records).toEqual([])
  })
})
