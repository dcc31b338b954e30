import type { Columns, Values } from '../../server/actions/action.ts'
import type { AccountFacts, Facts } from '../../server/actions/facts.ts'
import type { Address, Trace } from '../../server/actions/trace.ts'
import type { Cell } from '../../server/cell/cell.ts'
import {
  account,
  addr,
  asked,
  type Begin,
  cell,
  coins,
  comment,
  compose,
  type Part,
  ref,
  type Sent,
  stateInit,
  TON,
  uint,
} from './compose.ts'

/* One trace for each type of action that no recorded trace has. */

/** A trace, and what must be among its actions. */
export interface Composed {
  readonly type: string
  readonly trace: Trace
  readonly facts: Facts
  readonly columns: Columns
  readonly data?: Values
  readonly success?: boolean
}

const [OWNER, OTHER, ITEM, COLLECTION, SALE, MARKET, FEES, ROYALTY, CONTRACT, ORDER, POOL] = Array.from({ length: 11 }, (_, i) =>
  account(0xa0 + i),
) as [Address, Address, Address, Address, Address, Address, Address, Address, Address, Address, Address]
export { CONTRACT, ITEM, MARKET, OTHER, OWNER, POOL, SALE }
const DNS: Address = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF'
const ELECTOR: Address = `-1:${'3'.repeat(64)}`

export const facts = (known: { readonly [address: Address]: AccountFacts }): Facts => new Map(Object.entries(known))

const item = (collection: Address = COLLECTION, uri: string | null = null): AccountFacts => ({
  nftItem: { index: 5n, collection, owner: OWNER, uri, codeHash: null },
})
const telegram = item(COLLECTION, 'https://nft.fragment.com/username/x.json')
export const sale = (seller: Address = OWNER, price = TON): AccountFacts => ({
  nftSale: { marketplace: MARKET, item: ITEM, seller, price },
})
const auction = (seller: Address = OWNER): AccountFacts => ({
  nftAuction: { marketplace: MARKET, item: ITEM, seller, lastBid: 3n * TON },
})
export const itemFacts = item

/** A trace that the owner's wallet begins. */
const byOwner = (...causes: readonly Sent[]): Trace => compose({ account: OWNER, causes })
const begin = (from: Begin): Trace => compose(from)

/** An item is ordered to go to `to` and tells it, which then sends `causes`. */
export const handOver = (to: Address, from: Address, ...causes: readonly Sent[]): Sent => ({
  to: ITEM,
  body: asked(0x5fcc3d14, addr(to), addr(from), uint(0, 1), coins(1n), uint(0, 1)),
  causes: [{ to, body: asked(0x05138d91, addr(from), uint(0, 1)), causes }],
})

/** How Getgems deploys sales of the fourth version. */
const saleInit = stateInit(
  cell(uint(1, 8)),
  cell(uint(0, 1), addr(MARKET), addr(OWNER), coins(9n * TON), uint(0, 32), uint(0, 64), ref(addr(FEES), addr(ROYALTY), uint(5, 17))),
)
/** And auctions of the third. */
const auctionInit = stateInit(
  cell(uint(2, 8)),
  cell(
    ...[uint(0, 2), addr(null), coins(0n), uint(0, 64), addr(MARKET), uint(0, 64), uint(5, 32), uint(100, 32), uint(1, 32), uint(200, 32)],
    ...[ref(addr(FEES), addr(ROYALTY)), ref(addr(ITEM), coins(TON), coins(8n * TON))],
  ),
)
const putUp = (init: Cell): Trace =>
  byOwner(handOver(MARKET, OWNER, { to: SALE, body: asked(0x1234), before: 'nonexist', init }, handOver(SALE, MARKET)))

const record = (...parts: readonly Part[]): Part => ref(...parts)
const changed = (key: bigint, ...parts: readonly Part[]): Trace => byOwner({ to: ITEM, body: asked(0x4eb1f0f9, uint(key, 256), ...parts) })

/** A message to a user's contract of EVAA. */
const forUser = (op: number, ...parts: readonly Part[]): Cell => cell(coins(1n), uint(0, 3), uint(op, 32), uint(7, 64), ...parts)

const order = cell(uint(9, 8))

export const COMPOSED: readonly Composed[] = [
  {
    type: 'tick_tock',
    trace: begin({ account: account(3, -1), tick: true, causes: [{ to: OWNER }] }),
    facts: facts({}),
    columns: { source: account(3, -1) },
  },
  {
    type: 'change_dns',
    trace: changed(0x77n, record(uint(0x9fd3, 16), addr(OTHER), uint(1, 8))),
    facts: facts({ [ITEM]: item(DNS) }),
    columns: { source: OWNER, destination: ITEM, asset: DNS },
    data: { key: '77'.padStart(64, '0'), value_schema: 'DNSSmcAddress', value: OTHER, flags: 1 },
  },
  {
    type: 'delete_dns',
    trace: changed(0x77n),
    facts: facts({ [ITEM]: item(DNS) }),
    columns: { source: OWNER, destination: ITEM, asset: DNS },
    data: { key: '77'.padStart(64, '0'), value_schema: null, flags: null },
  },
  {
    type: 'renew_dns',
    trace: changed(0n),
    facts: facts({ [ITEM]: item(DNS) }),
    columns: { source: OWNER, destination: ITEM, asset: DNS },
    data: {},
  },
  {
    type: 'subscribe',
    trace: begin({
      account: CONTRACT,
      causes: [
        {
          to: OWNER,
          body: asked(0x706c7567, coins(4n * TON), uint(0, 1)),
          causes: [{ to: CONTRACT, body: asked(0xf06c7567), causes: [{ to: OTHER, body: cell(uint(0x73756273, 32)) }] }],
        },
      ],
    }),
    facts: facts({}),
    columns: { source: OWNER, destination: OTHER, destinationSecondary: CONTRACT, amount: 4n * TON },
  },
  {
    type: 'unsubscribe',
    trace: byOwner({ to: CONTRACT, body: asked(0x64737472), causes: [{ to: OTHER, body: cell(uint(0x64737472, 32)) }] }),
    facts: facts({}),
    columns: { source: OWNER, destination: OTHER, destinationSecondary: CONTRACT },
  },
  {
    type: 'election_deposit',
    trace: byOwner({ to: ELECTOR, value: 300_000n * TON, body: asked(0x4e73744b), causes: [{ to: OWNER, body: asked(0xf374484c) }] }),
    facts: facts({}),
    columns: { source: OWNER, amount: 300_000n * TON },
  },
  {
    // The elector returns the stake.
    type: 'election_deposit',
    trace: byOwner({ to: ELECTOR, value: 300_000n * TON, body: asked(0x4e73744b), causes: [{ to: OWNER, body: asked(0xee6f454c) }] }),
    facts: facts({}),
    columns: { source: OWNER, amount: 300_000n * TON },
    success: false,
  },
  {
    type: 'auction_bid',
    trace: byOwner({ to: SALE, value: 4n * TON }),
    facts: facts({ [SALE]: auction(OTHER), [ITEM]: item() }),
    columns: { source: OWNER, destination: SALE, asset: COLLECTION, assetSecondary: ITEM, value: 4n * TON },
    data: { nft_item_index: 5n, marketplace: 'getgems' },
  },
  {
    type: 'auction_outbid',
    trace: byOwner({
      to: SALE,
      value: 4n * TON,
      causes: [{ to: OTHER, value: 3n * TON, body: comment('Your bid has been outbid by another user.\n#1') }],
    }),
    facts: facts({ [SALE]: auction(CONTRACT), [ITEM]: item() }),
    columns: { source: SALE, destination: OTHER, sourceSecondary: OWNER, asset: COLLECTION, assetSecondary: ITEM, amount: 3n * TON },
    data: { marketplace: 'getgems', comment: 'Your bid has been outbid by another user.\n#1' },
  },
  {
    // A username tells the one who was outbid by an opcode.
    type: 'auction_outbid',
    trace: byOwner({ to: ITEM, value: 4n * TON, causes: [{ to: OTHER, value: 3n * TON, body: asked(0x557cea20) }] }),
    facts: facts({ [ITEM]: telegram }),
    columns: { source: ITEM, destination: OTHER, sourceSecondary: OWNER, asset: COLLECTION, assetSecondary: ITEM, amount: 3n * TON },
    data: { marketplace: 'fragment', comment: null },
  },
  {
    type: 'multisig_create_order',
    trace: byOwner({
      to: CONTRACT,
      body: asked(0xf718510f, uint(3, 256), uint(1, 1), uint(2, 8), uint(1_800_000_000, 48), (b) => b.storeRef(order)),
      causes: [
        {
          to: ORDER,
          before: 'nonexist',
          body: asked(0x9c73fba2, uint(2, 8), ref(uint(0, 1)), uint(1_800_000_000, 48), (b) => b.storeRef(order), uint(1, 1), uint(2, 8)),
        },
      ],
    }),
    facts: facts({ [ORDER]: { multisigOrder: { signers: [OWNER, OTHER] } } }),
    columns: { source: OWNER, destination: CONTRACT, destinationSecondary: ORDER },
    data: {
      ...{ query_id: 7n, order_seqno: 3n, is_created_by_signer: true, is_signed_by_creator: true, creator_index: 2 },
      expiration_date: 1_800_000_000,
    },
  },
  {
    type: 'multisig_approve',
    trace: byOwner({ to: ORDER, body: asked(0xa762230f, uint(2, 8)), causes: [{ to: OWNER, body: asked(0x82609bf6) }] }),
    facts: facts({ [ORDER]: { multisigOrder: { signers: [OWNER, OTHER] } } }),
    columns: { source: OWNER, destination: ORDER },
    data: { signer_index: 2, exit_code: 0 },
  },
  {
    // Asked by a comment, and refused.
    type: 'multisig_approve',
    trace: byOwner({ to: ORDER, body: comment('approve'), causes: [{ to: OWNER, body: asked(0xafaf283e, uint(106, 32)) }] }),
    facts: facts({ [ORDER]: { multisigOrder: { signers: [OWNER, OTHER] } } }),
    columns: { source: OWNER, destination: ORDER },
    data: { signer_index: -1, exit_code: 106 },
    success: false,
  },
  {
    type: 'multisig_execute',
    trace: begin({
      account: OWNER,
      causes: [
        {
          to: ORDER,
          causes: [
            {
              to: CONTRACT,
              body: asked(0x75097f5d, uint(3, 256), uint(1_800_000_000, 48), uint(2, 8), uint(1, 256), (b) => b.storeRef(order)),
            },
          ],
        },
      ],
    }),
    facts: facts({ [ORDER]: { multisigOrder: { signers: [OWNER, OTHER] } } }),
    columns: { source: ORDER, destination: CONTRACT },
    data: { query_id: 7n, order_seqno: 3n, expiration_date: 1_800_000_000, approvals_num: 2 },
  },
  {
    type: 'evaa_liquidate',
    trace: byOwner({
      to: CONTRACT,
      body: asked(3, addr(OTHER), addr(OWNER), uint(0x1234n, 256), uint(1, 64), uint(0, 2), uint(50, 64)),
      causes: [
        {
          to: POOL,
          body: forUser(0x31),
          causes: [
            {
              to: CONTRACT,
              body: asked(
                ...([0x311, addr(OTHER), addr(OWNER), uint(0x99n, 256)] as const),
                ref(uint(0, 64), uint(48, 64), uint(0, 64), uint(0, 64), uint(0x1234n, 256), uint(0, 64), uint(77, 64)),
              ),
              causes: [
                { to: POOL, body: forUser(0x311a) },
                { to: OWNER, body: asked(0x311d) },
              ],
            },
          ],
        },
      ],
    }),
    facts: facts({}),
    columns: { source: OWNER, destination: OTHER, destinationSecondary: POOL, asset: '4660', amount: 77n },
    data: { asset_id: '0x1234', fail_reason: null, debt_amount: 48n },
  },
  {
    type: 'nft_discovery',
    trace: byOwner({
      to: ITEM,
      body: asked(0x2fcb26a2),
      causes: [{ to: OWNER, body: asked(0x8b771735, uint(5, 256), addr(COLLECTION)) }],
    }),
    facts: facts({}),
    columns: { source: OWNER, asset: COLLECTION, assetSecondary: ITEM },
    data: { nft_item_index: 5n },
  },
  {
    type: 'coffee_mev_protect_failed_swap',
    trace: byOwner({ to: CONTRACT, body: asked(0xee51ce51, addr(OTHER)) }),
    facts: facts({}),
    columns: { destination: OTHER },
  },
  {
    type: 'nft_put_on_sale',
    trace: putUp(saleInit),
    facts: facts({ [ITEM]: item(), [SALE]: sale() }),
    columns: { source: OWNER, sourceSecondary: MARKET, destination: SALE, asset: COLLECTION, assetSecondary: ITEM },
    data: {
      ...{ nft_item_index: 5n, marketplace: 'getgems', marketplace_address: MARKET, full_price: 9n * TON },
      ...{ marketplace_fee_address: FEES, royalty_address: ROYALTY },
    },
  },
  {
    type: 'nft_put_on_auction',
    trace: putUp(auctionInit),
    facts: facts({ [ITEM]: item(), [SALE]: auction() }),
    columns: { source: OWNER, sourceSecondary: MARKET, destination: SALE, asset: COLLECTION, assetSecondary: ITEM },
    data: {
      ...{ marketplace_address: MARKET, mp_fee_factor: 5n, mp_fee_base: 100n, royalty_fee_base: 200n },
      ...{ min_bid: TON, max_bid: 8n * TON, marketplace_fee_address: FEES, royalty_address: ROYALTY },
    },
  },
  {
    type: 'nft_cancel_sale',
    trace: byOwner({ to: SALE, body: asked(3), causes: [handOver(OWNER, SALE)] }),
    facts: facts({ [ITEM]: item(), [SALE]: sale() }),
    columns: { source: OWNER, destination: SALE, asset: COLLECTION, assetSecondary: ITEM },
    data: { marketplace_address: MARKET },
  },
  {
    type: 'nft_cancel_auction',
    trace: byOwner({ to: SALE, body: asked(0x5616c572), causes: [handOver(OWNER, SALE)] }),
    facts: facts({ [ITEM]: item(), [SALE]: auction() }),
    columns: { source: OWNER, destination: SALE, asset: COLLECTION, assetSecondary: ITEM },
    data: { marketplace_address: MARKET },
  },
  {
    type: 'nft_finish_auction',
    trace: byOwner({ to: SALE, body: comment('finish'), causes: [{ to: OTHER, value: 2n * TON }, handOver(OWNER, SALE)] }),
    facts: facts({ [ITEM]: item(), [SALE]: auction(OTHER) }),
    columns: { source: OWNER, destination: SALE, asset: COLLECTION, assetSecondary: ITEM },
  },
  {
    type: 'teleitem_start_auction',
    trace: byOwner({
      to: ITEM,
      body: asked(0x487a8e81, ref(addr(OWNER), coins(TON), coins(9n * TON), uint(5, 8), uint(0, 64))),
      causes: [{ to: OWNER, body: asked(0xa37a0983) }],
    }),
    facts: facts({ [ITEM]: telegram }),
    columns: { source: OWNER, destination: ITEM, asset: COLLECTION, assetSecondary: ITEM },
    data: { marketplace: 'fragment', min_bid: TON, max_bid: 9n * TON, marketplace_fee_address: OWNER },
  },
  {
    type: 'teleitem_cancel_auction',
    trace: byOwner({ to: ITEM, body: asked(0x371638ae), causes: [{ to: OWNER, body: asked(0xa37a0983) }] }),
    facts: facts({ [ITEM]: telegram }),
    columns: { source: OWNER, destination: ITEM, asset: COLLECTION, assetSecondary: ITEM },
  },
  {
    type: 'nft_update_sale',
    trace: byOwner({ to: SALE, body: asked(0x6c6c2080, coins(3n * TON), coins(2n), coins(1n)) }),
    facts: facts({ [SALE]: sale() }),
    columns: { source: OWNER, destination: SALE, assetSecondary: ITEM },
    data: { full_price: 3n * TON, marketplace_fee: 2n, royalty_amount: 1n, marketplace_address: MARKET },
  },
  {
    type: 'dns_purchase',
    trace: byOwner({ to: ITEM, body: asked(0x2fcb26a2), causes: [{ to: DNS, value: 6n * TON, body: asked(0x370fec51) }] }),
    facts: facts({ [ITEM]: item(DNS) }),
    columns: { destination: OWNER, asset: DNS, assetSecondary: ITEM },
    data: { query_id: 7n, is_purchase: true, nft_item_index: 5n, price: 6n * TON, payout_amount: 6n * TON },
  },
  {
    type: 'dns_release',
    trace: byOwner({ to: ITEM, body: asked(0x4ed14b65), value: 2n * TON }),
    facts: facts({ [ITEM]: item(DNS) }),
    columns: { source: OWNER, destination: ITEM, asset: DNS, value: 2n * TON },
    data: { query_id: 7n, nft_item_index: 5n },
  },
  {
    type: 'tgbtc_mint_fallback',
    trace: byOwner({
      to: CONTRACT,
      causes: [{ to: null, body: cell(uint(0x77a80ef3, 32), coins(5n), addr(OTHER), uint(1n << 248n, 256)) }],
    }),
    facts: facts({}),
    columns: { source: CONTRACT, destination: OTHER, amount: 5n, assetSecondary: `${'00'.repeat(31)}01` },
  },
  {
    type: 'tgbtc_new_key_fallback',
    trace: byOwner({ to: CONTRACT, causes: [{ to: null, body: cell(uint(0x27756729, 32), coins(5n), uint(0xabcn, 256), addr(OTHER)) }] }),
    facts: facts({}),
    columns: { sourceSecondary: 'abc', destination: CONTRACT, destinationSecondary: OTHER, amount: 5n },
  },
  {
    type: 'stake_deposit',
    trace: byOwner({ to: POOL, body: comment('d'), value: 10_000n * TON }),
    facts: facts({ [POOL]: { nominatorPool: true } }),
    columns: { source: OWNER, destination: POOL, amount: 10_000n * TON },
    data: { provider: 'nominator' },
  },
  {
    type: 'stake_withdrawal',
    trace: byOwner({ to: POOL, body: comment('w'), causes: [{ to: OWNER, value: 10_000n * TON }] }),
    facts: facts({ [POOL]: { nominatorPool: true } }),
    columns: { source: OWNER, destination: POOL, amount: 10_000n * TON },
    data: { provider: 'nominator' },
  },
  {
    type: 'stake_withdrawal_request',
    trace: byOwner({ to: POOL, body: comment('w') }),
    facts: facts({ [POOL]: { nominatorPool: true } }),
    columns: { source: OWNER, destination: POOL },
    data: { provider: 'nominator' },
  },
  {
    // The pool pays all who asked.
    type: 'stake_withdrawal',
    trace: byOwner({ to: POOL, body: asked(2), causes: [{ to: OTHER, value: 10_000n * TON }] }),
    facts: facts({ [POOL]: { nominatorPool: true } }),
    columns: { source: OTHER, destination: POOL, amount: 10_000n * TON },
    data: { provider: 'nominator' },
  },
  {
    // An external message that asked for nothing, and was not accepted.
    type: 'unknown',
    trace: begin({ account: OWNER, fails: true }),
    facts: facts({}),
    columns: { source: null, destination: null },
    success: false,
  },
]
