import { bodiesOf } from '../../decode/bodies.ts'

/** Getgems: sales and auctions, and the initial data of their contracts. Each version has its own layout. */
export const messages = `
type GetgemsSaleV1 - -  marketplace address, nft address, owner address, price coins,
  _ ^[fee coins, fee_address address, royalty_address address, royalty coins]
type GetgemsSaleV2 - -  is_complete bool, created_at u32, marketplace address, nft address, owner address, price coins,
  _ ^[fee_address address, fee coins, royalty_address address, royalty coins]
type GetgemsSaleV4 - -  is_complete bool, marketplace address, owner address, price coins,
  _ ^[fee_address address, royalty_address address]
type GetgemsFees - -  fee_address address, fee_factor u32, fee_base u32, royalty_address address, royalty_factor u32, royalty_base u32
type GetgemsBids - -  min_bid coins, max_bid coins
type GetgemsAuctionV1 - -  fees ^GetgemsFees, bids ^GetgemsBids
type GetgemsAuctionV3 - -  fees ^GetgemsFees, bids ^GetgemsBidsV3
type GetgemsBidsV3 - -  mark u32, address address, _ GetgemsBids
type GetgemsBidsV4 - -  address address, _ GetgemsBids
type GetgemsFractions - -  fee_factor u32, fee_base u32, royalty_factor u32, royalty_base u32
type GetgemsAuctionV4 - -  _ ^[fee_address address, royalty_address address, _ GetgemsFractions], bids ^GetgemsBidsV4
type GetgemsAuction - -  flags u2, last_member address, last_bid coins, last_bid_at u32, end_time u32, address address, times u64,
  _ ^[fee_address address, royalty_address address], bids ^GetgemsBidsV4, _ GetgemsFractions
internal 6c6c2080 sale_update_message  query_id u64, new_full_price coins, new_mp_fee coins, new_royalty_amount coins
`

export const { opcode, load } = bodiesOf(messages)
