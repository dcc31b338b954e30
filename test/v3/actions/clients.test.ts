import { Address, beginCell, comment, internal, SendMode } from '@ton/core'
import { JettonMaster, TonClient, WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { account, jettonTransfer, nftTransfer } from '../../index/topics/kit.ts'
import { sleep } from '../../kit/wait.ts'
import { type ActionsService, rawOf, startActions, type Wallet } from './kit.ts'

/*
 * What wallets and explorers ask for and which fields they read, from their sources: mytonwallet (src/api/chains/ton/toncenter), walletkit
 * (ton-connect/kit, packages/walletkit/src/clients/toncenter and types/toncenter) and Acton's explorer. Each test makes the request as the client
 * writes it and reads the answer with a schema of just the fields that the client reads without a check of its own.
 */

const raw = z.string().regex(/^-?\d+:[0-9A-F]{64}$/)
const hash = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)
const decimal = z.string().regex(/^\d+$/)
const seconds = z.number().int().positive()

const book = z.record(
  z.string(),
  z.object({
    user_friendly: z.string().regex(/^[EU][Qf]/),
    domain: z.string().nullable(),
    interfaces: z.array(z.string()).nullable(),
  }),
)
const tokenInfo = z.looseObject({ type: z.string(), valid: z.boolean() })
const metadata = z.record(raw, z.object({ is_indexed: z.boolean(), token_info: z.array(tokenInfo) }))

const message = z.object({
  hash,
  hash_norm: hash.optional(),
  source: raw.nullable(),
  destination: raw.nullable(),
  value: decimal.nullable(),
  fwd_fee: decimal.nullable(),
  ihr_fee: decimal.nullable(),
  created_lt: decimal.nullable(),
  created_at: decimal.nullable(),
  opcode: z
    .string()
    .regex(/^0x[0-9a-f]{8}$/)
    .nullable(),
  ihr_disabled: z.boolean().nullable(),
  bounce: z.boolean().nullable(),
  bounced: z.boolean().nullable(),
  import_fee: decimal.nullable(),
  message_content: z.object({ hash, body: z.string(), decoded: z.record(z.string(), z.unknown()).nullable() }),
  init_state: z.object({ hash, body: z.string() }).nullable(),
})
const accountState = z.object({ hash, balance: decimal.nullable(), data_hash: hash.nullable(), code_hash: hash.nullable() })
const transaction = z.object({
  account: raw,
  hash,
  lt: decimal,
  now: seconds,
  mc_block_seqno: z.number(),
  trace_id: hash,
  prev_trans_hash: hash,
  prev_trans_lt: decimal,
  orig_status: z.string(),
  end_status: z.string(),
  total_fees: decimal,
  total_fees_extra_currencies: z.record(z.string(), decimal),
  description: z.object({
    type: z.string(),
    aborted: z.boolean(),
    compute_ph: z.union([
      z.object({ skipped: z.literal(true), reason: z.string() }),
      z.object({
        ...{ skipped: z.literal(false), success: z.boolean(), msg_state_used: z.boolean(), account_activated: z.boolean() },
        ...{ gas_fees: decimal, gas_used: decimal, gas_limit: decimal, mode: z.number(), exit_code: z.number(), vm_steps: z.number() },
        ...{ vm_init_state_hash: hash, vm_final_state_hash: hash },
      }),
    ]),
    storage_ph: z.object({ storage_fees_collected: decimal, status_change: z.string() }),
    action: z
      .object({
        ...{ success: z.boolean(), valid: z.boolean(), no_funds: z.boolean(), status_change: z.string(), result_code: z.number() },
        ...{ tot_actions: z.number(), spec_actions: z.number(), skipped_actions: z.number(), msgs_created: z.number() },
        ...{ action_list_hash: hash, tot_msg_size: z.object({ cells: decimal, bits: decimal }) },
      })
      .optional(),
  }),
  block_ref: z.object({ workchain: z.number(), shard: z.string(), seqno: z.number() }),
  in_msg: message,
  out_msgs: z.array(message),
  account_state_before: accountState,
  account_state_after: accountState,
  emulated: z.literal(false),
  trace_external_hash: hash,
})

interface Node {
  readonly tx_hash: string
  readonly in_msg_hash: string | null
  readonly children: readonly Node[]
}
const node: z.ZodType<Node> = z.lazy(() => z.object({ tx_hash: hash, in_msg_hash: hash.nullable(), children: z.array(node) }))

const common = {
  ...{
    action_id: hash,
    trace_id: hash,
    success: z.boolean(),
    start_lt: decimal,
    end_lt: decimal,
    start_utime: seconds,
    end_utime: seconds,
  },
  ...{ trace_end_lt: decimal, trace_end_utime: seconds, trace_mc_seqno_end: z.number(), transactions: z.array(hash).min(1) },
  ...{ trace_external_hash: hash, trace_external_hash_norm: hash.optional() },
}
const text = z.string().nullable()
/** What mytonwallet reads of the details of each type that it shows; the rest of its types are in `the details of every type`. */
const details = {
  ton_transfer: z.object({ source: raw, destination: raw, value: decimal, comment: text, encrypted: z.boolean() }),
  call_contract: z.object({ opcode: z.string().regex(/^0x/), source: raw, destination: raw, value: decimal }),
  contract_deploy: z.object({ source: raw.nullish(), destination: raw }),
  jetton_mint: z.object({ asset: raw, receiver: raw, receiver_jetton_wallet: raw, amount: decimal }),
  jetton_transfer: z.object({
    ...{ asset: raw, sender: raw, receiver: raw, amount: decimal, comment: text, is_encrypted_comment: z.boolean(), query_id: decimal },
    ...{ forward_payload: text, sender_jetton_wallet: raw, receiver_jetton_wallet: raw, response_destination: raw.nullable() },
  }),
  nft_mint: z.object({ owner: raw, nft_item: raw, nft_collection: raw.nullable(), nft_item_index: decimal }),
  nft_transfer: z.object({
    ...{ nft_collection: raw.nullable(), nft_item: raw, nft_item_index: decimal.nullable(), new_owner: raw, old_owner: raw },
    ...{
      is_purchase: z.boolean(),
      price: decimal.nullish(),
      response_destination: raw.nullable(),
      query_id: decimal,
      forward_payload: text,
    },
    ...{ marketplace: text.optional(), payout_amount: decimal.nullish() },
  }),
} as const
const action = z.discriminatedUnion('type', [
  ...Object.entries(details).map(([type, of]) => z.object({ type: z.literal(type), ...common, details: of })),
] as unknown as [z.ZodObject<{ type: z.ZodLiteral<string>; details: z.ZodType }>])

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
