import type { Methods } from '../../../../client/index.ts'
import { ton } from '../base/service.ts'
import type { JettonWallet, Names, NftItem } from '../base/types.ts'
import type { Load } from '../parts/paged.tsx'

/* Lists of jetton wallets and NFTs, page by page. Each row has the names of the answer that it came in. */

const ROWS = 24

/** Jetton wallets by a filter of v3.jetton.wallets. */
export const walletPages =
  (filter: Methods['v3.jetton.wallets']['params']): Load<{ readonly wallet: JettonWallet; readonly names: Names }> =>
  async (cursor, signal) => {
    const { jetton_wallets, address_book, metadata, next_cursor } = await ton.v3.jetton.wallets(
      { ...filter, limit: ROWS, cursor },
      { signal },
    )
    return { rows: jetton_wallets.map((wallet) => ({ wallet, names: { book: address_book, metadata } })), next: next_cursor }
  }

/** NFTs by a filter of v3.nft.items. */
export const itemPages =
  (filter: Methods['v3.nft.items']['params']): Load<{ readonly item: NftItem; readonly names: Names }> =>
  async (cursor, signal) => {
    const { nft_items, address_book, metadata, next_cursor } = await ton.v3.nft.items({ ...filter, limit: ROWS, cursor }, { signal })
    return { rows: nft_items.map((item) => ({ item, names: { book: address_book, metadata } })), next: next_cursor }
  }
