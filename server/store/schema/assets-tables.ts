import type { ColumnType } from 'kysely'

/* Tables of contracts as kysely sees them; the columns are explained in migrations/0002-assets.ts. Types as in tables.ts. */

type Int8 = ColumnType<string, string | bigint | number, string | bigint | number>
type Numeric = ColumnType<string, string | bigint, string | bigint>
type NullableInt8 = ColumnType<string | null, string | bigint | number | null, string | bigint | number | null>
type NullableNumeric = ColumnType<string | null, string | bigint | null, string | bigint | null>

export interface ContractCodesTable {
  code_hash: Buffer
  mc_seqno: number
  methods: ColumnType<number[], readonly number[], readonly number[]>
}

export interface JettonMastersTable {
  account: Buffer
  mc_seqno: number
  total_supply: Numeric
  mintable: boolean
  admin: Buffer | null
  /** JSON. */
  content: string
  wallet_code_hash: Buffer
  /** Beside accounts, for the order of lists. */
  first_lt: Int8
}

export interface JettonWalletsTable {
  account: Buffer
  mc_seqno: number
  balance: Numeric
  owner: Buffer
  jetton: Buffer
  claimed: boolean | null
}

/** Where an order was carried out. */
interface OrderColumns {
  account: Buffer
  tx_lt: Int8
  mc_seqno: number
  tx_hash: Buffer
  trace_id: Buffer
  tx_now: Int8
  query_id: Numeric
}

export interface JettonTransfersTable extends OrderColumns {
  amount: Numeric
  source: Buffer
  destination: Buffer | null
  jetton: Buffer
  response_destination: Buffer | null
  custom_payload: Buffer | null
  forward_ton_amount: NullableNumeric
  forward_payload: Buffer | null
}

export interface JettonBurnsTable extends OrderColumns {
  aborted: boolean
  amount: Numeric
  owner: Buffer
  jetton: Buffer
  response_destination: Buffer | null
  custom_payload: Buffer | null
}

export interface NftCollectionsTable {
  account: Buffer
  mc_seqno: number
  next_item_index: Numeric
  owner: Buffer | null
  /** JSON. */
  content: string
  /** Beside accounts, for the order of lists. */
  first_lt: Int8
}

export interface NftItemsTable {
  account: Buffer
  mc_seqno: number
  /** Both beside accounts, for the order of lists. */
  last_trans_lt: Int8
  first_lt: Int8
  init: boolean
  index: Numeric
  /** Empty where there is none. */
  collection: Buffer
  owner: Buffer | null
  real_owner: Buffer | null
  sale: Buffer | null
  sale_kind: number | null
  /** JSON. */
  content: string
  domain: string | null
}

export interface NftSalesTable {
  account: Buffer
  mc_seqno: number
  kind: number
  item: Buffer | null
  seller: Buffer | null
  marketplace: Buffer | null
  created_at: NullableInt8
  open: boolean
  /** JSON. */
  details: string
}

export interface NftTransfersTable extends OrderColumns {
  aborted: boolean
  /** Empty where there is none. */
  collection: Buffer
  old_owner: Buffer | null
  new_owner: Buffer | null
  response_destination: Buffer | null
  custom_payload: Buffer | null
  forward_amount: NullableNumeric
  forward_payload: Buffer | null
}

export interface DnsEntriesTable {
  account: Buffer
  mc_seqno: number
  domain: string
  next_resolver: Buffer | null
  wallet: Buffer | null
  site: Buffer | null
  storage: Buffer | null
  bidder: Buffer | null
  bid: NullableNumeric
  auction_end: Int8
  last_fill_up: NullableInt8
}

export interface TokenMetadataTable {
  account: Buffer
  uri: string
  /** JSON; null where nothing could be had. */
  content: string | null
  fetched_at: Int8
  tries: number
  next_try: Int8
}

export interface AssetsTables {
  contract_codes: ContractCodesTable
  jetton_masters: JettonMastersTable
  jetton_wallets: JettonWalletsTable
  jetton_transfers: JettonTransfersTable
  jetton_burns: JettonBurnsTable
  nft_collections: NftCollectionsTable
  nft_items: NftItemsTable
  nft_sales: NftSalesTable
  nft_transfers: NftTransfersTable
  dns_entries: DnsEntriesTable
  token_metadata: TokenMetadataTable
}
