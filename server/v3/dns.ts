import type { dns } from '../../shared/v3/dns.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { headTime } from '../store/queries/head.ts'
import { keyOf } from '../store/queries/keys.ts'
import { type DnsRow, findAuctions, findNames, itemsOf } from '../store/queries/nfts.ts'
import { answer, type V3Index } from './answer/answer.ts'
import { accountsOfItems, tellItems } from './nfts.ts'
import { address, maybeAddress } from './shapes/wire.ts'

const hexUpper = (bytes: Buffer | null): string | null => bytes?.toString('hex').toUpperCase() ?? null

const record = (row: DnsRow) => ({
  nft_item_address: address(row.account),
  nft_item_owner: maybeAddress(row.item_owner),
  domain: row.domain,
  dns_next_resolver: maybeAddress(row.next_resolver),
  dns_wallet: maybeAddress(row.wallet),
  dns_site_adnl: hexUpper(row.site),
  dns_storage_bag_id: hexUpper(row.storage),
})

/** `<end, 20 digits>:<item>` (v3.md 3.12). */
const cursorOf = (row: DnsRow): string => Buffer.from(`${row.auction_end.padStart(20, '0')}:${address(row.account)}`).toString('base64url')

/** Domain names and auctions of the index. */
export const dnsHandlers = (index: V3Index): AnswerHandlers<keyof typeof dns> => ({
  'v3.dns.records': (params, { signal }) =>
    answer(index, params, signal, async (view, beside) => {
      const rows = await findNames(view, params, params)
      const book = await beside.book(rows.flatMap((row) => [row.account, row.item_owner, row.next_resolver, row.wallet]))
      return { body: { records: rows.map(record), address_book: book } }
    }),

  'v3.dns.activeAuctions': (params, { signal }) =>
    answer(index, params, signal, async (view, beside) => {
      const now = await headTime(view)
      const { after } = params
      const from = after && { end: after.end, item: keyOf(after.item) }
      const rows = await findAuctions(view, { bidder: params.bidder, state: params.state, now, after: from }, params)
      const told = params.include_nft_items
        ? [
            ...(
              await itemsOf(
                view,
                rows.map((row) => row.account),
              )
            ).values(),
          ]
        : []
      const [items, book] = await Promise.all([
        tellItems(view, told),
        beside.both([...rows.flatMap((row) => [row.account, row.bidder]), ...accountsOfItems(told)]),
      ])
      const byAddress = new Map(items.map((item) => [item.address, item]))
      const next = rows.length === params.limit ? cursorOf(rows.at(-1)!) : undefined
      const auctions = rows.map((row) => {
        const item = byAddress.get(address(row.account))
        return {
          nft_item_address: address(row.account),
          domain: row.domain,
          max_bid_address: address(row.bidder!),
          max_bid_amount: row.bid ?? '0',
          auction_end_time: row.auction_end,
          last_fill_up_time: row.last_fill_up ?? '0',
          finished: Number(row.auction_end) <= now,
          ...(item && { nft_item: item }),
        }
      })
      return { body: { auctions, ...book, ...(next !== undefined && { next_cursor: next }) }, next }
    }),
})
