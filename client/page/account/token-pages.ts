import type { Methods } from '../../index.ts'
import { ton } from '../base/service.ts'
import type { JettonWallet, Names, NftItem } from '../base/types.ts'
import type { Load } from '../parts/paged.tsx'

const ROWS = 24

export const walletPages =
  (filter: Methods['v3.jetton.wallets']['params']): Load<{ readonly wallet: JettonWallet; readonly names: Names }> =>
  async (cursor, signal) => {
    const { jetton_wallets, address_book, metadata, next_cursor } = await ton.v3.jetton.wallets(
      { ...filter, limit: ROWS, cursor },
      { signal },
    )
    return { rows: jetton_wallets.map((wallet) => ({ wallet, names: { book: address_book, metadata } })), next: next_cursor }
  }

/**
 * The holders of a jetton, largest first. `master`: raw address of the jetton. `supply`: in the smallest units; undefined if its request failed, so that no
 * shares are shown.
 */
export const holderPages = (
  master: string,
): Load<{ readonly wallet: JettonWallet; readonly names: Names; readonly supply: string | undefined }> => {
  const load = walletPages({ jetton_address: [master], exclude_zero_balance: true, sort: 'desc' })
  return async (cursor, signal) => {
    const [page, masters] = await Promise.all([
      load(cursor, signal),
      ton.v3.jetton.masters({ address: [master] }, { signal }).catch(() => ({ jetton_masters: [] })),
    ])
    const supply = masters.jetton_masters[0]?.total_supply
    return { ...page, rows: page.rows.map((row) => ({ ...row, supply })) }
  }
}

/** An NFT with its price or highest bid in nanograms, if it is on sale. */
export interface PricedItem {
  readonly item: NftItem
  readonly names: Names
  readonly price: string | undefined
}

/** Prices of items that are on sale, by the address of the sale contract. If the request fails, tiles have no price. */
const loadPrices = async (items: readonly NftItem[], signal: AbortSignal | undefined): Promise<ReadonlyMap<string, string>> => {
  const sellers = items.flatMap((item) => (item.on_sale ? (item.sale_contract_address ?? item.auction_contract_address ?? []) : []))
  if (sellers.length === 0) return new Map()
  const { nft_sales } = await ton.v3.nft.sales({ address: sellers }, { signal }).catch(() => ({ nft_sales: [] }))
  return new Map(
    nft_sales.flatMap((sale) => {
      const price =
        sale.type === 'getgems_sale' ? sale.details.full_price : sale.type === 'getgems_auction' ? sale.details.last_bid : sale.details.bid
      return price === undefined || price === '0' ? [] : [[sale.address, price] as const]
    }),
  )
}

export const itemPages =
  (filter: Methods['v3.nft.items']['params']): Load<PricedItem> =>
  async (cursor, signal) => {
    const { nft_items, address_book, metadata, next_cursor } = await ton.v3.nft.items({ ...filter, limit: ROWS, cursor }, { signal })
    const names = { book: address_book, metadata }
    const prices = await loadPrices(nft_items, signal)
    const rows = nft_items.map((item) => ({
      item,
      names,
      price: prices.get(item.sale_contract_address ?? item.auction_contract_address ?? ''),
    }))
    return { rows, next: next_cursor }
  }
