import type { Params } from '../../shared/registry.ts'
import type { dns } from '../../shared/v3/dns.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { keyOf } from '../store/queries/conditions.ts'
import { type DnsRow, findAuctions, findNames, itemsOf } from '../store/queries/nfts.ts'
import type { Page } from '../store/queries/order.ts'
import type { View } from '../store/queries/view.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { accountsOfItems, itemsByAddress, type WireItem } from './nfts.ts'
import { address, maybeAddress, maybeHex } from './shapes/values.ts'

const record = (row: DnsRow) => ({
  nft_item_address: address(row.account),
  nft_item_owner: maybeAddress(row.item_owner),
  domain: row.domain,
  dns_next_resolver: maybeAddress(row.next_resolver),
  dns_wallet: maybeAddress(row.wallet),
  dns_site_adnl: maybeHex(row.site),
  dns_storage_bag_id: maybeHex(row.storage),
})

/** The cursor of a row in TON Center's format: `<auction end, 20 digits>:<item>` in base64url. */
const cursorOf = (row: DnsRow): string => Buffer.from(`${row.auction_end.padStart(20, '0')}:${address(row.account)}`).toString('base64url')

type Auction = DnsRow & { readonly finished: boolean }

const toAuction = (row: Auction, item: WireItem | undefined) => ({
  nft_item_address: address(row.account),
  domain: row.domain,
  max_bid_address: address(row.bidder!),
  max_bid_amount: row.bid ?? '0',
  auction_end_time: row.auction_end,
  last_fill_up_time: row.last_fill_up ?? '0',
  finished: row.finished,
  ...(item && { nft_item: item }),
})

const auctionsOf = async (view: View, params: Params<'v3.dns.activeAuctions'>): Promise<Page<Auction>> => {
  const now = view.utime
  const after = params.after && { end: params.after.end, item: keyOf(params.after.item) }
  const rows = await findAuctions(view, { ...params, now, after })
  return {
    rows: rows.map((row) => ({ ...row, finished: Number(row.auction_end) <= now })),
    next: rows.length === params.limit ? cursorOf(rows.at(-1)!) : undefined,
  }
}

export const dnsHandlers = (index: V3Index): AnswerHandlers<keyof typeof dns> => ({
  'v3.dns.records': list(index, 'v3.dns.records', {
    find: async (view, params) => ({ rows: await findNames(view, params), next: undefined }),
    relate: (_, rows) => ({
      accounts: rows.flatMap((row) => [row.account, row.item_owner, row.next_resolver, row.wallet]),
      format: record,
    }),
  }),

  'v3.dns.activeAuctions': list(index, 'v3.dns.activeAuctions', {
    find: auctionsOf,
    hasNextCursor: true,
    async relate(view, rows, params) {
      const items = await itemsOf(view, params.include_nft_items ? rows.map((row) => row.account) : [])
      return {
        accounts: [...rows.flatMap((row) => [row.account, row.bidder]), ...accountsOfItems(items)],
        format: itemsByAddress(view, items).then((byAddress) => (row) => toAuction(row, byAddress.get(address(row.account)))),
      }
    },
  }),
})
