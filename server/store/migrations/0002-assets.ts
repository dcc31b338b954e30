import { distribute, migration } from './statements.ts'

export const assetsMigration = migration([
  'create table contract_codes (code_hash bytea not null primary key, mc_seqno integer not null, methods integer[] not null)',

  `create table jetton_masters (
    account bytea not null primary key, mc_seqno integer not null, total_supply numeric not null, mintable boolean not null,
    admin bytea, content text not null, wallet_code_hash bytea not null)`,
  'create index jetton_masters_admin on jetton_masters (admin, account)',

  `create table jetton_wallets (
    account bytea not null primary key, mc_seqno integer not null, balance numeric not null, owner bytea not null, jetton bytea not null,
    claimed boolean)`,
  'create index jetton_wallets_owner on jetton_wallets (owner, balance, account)',
  'create index jetton_wallets_jetton on jetton_wallets (jetton, balance, account)',
  'create index jetton_wallets_owner_jetton on jetton_wallets (owner, jetton)',
  'create index jetton_wallets_balance on jetton_wallets (balance, account)',

  `create table jetton_transfers (
    account bytea not null, tx_lt bigint not null, mc_seqno integer not null, tx_hash bytea not null, trace_id bytea not null,
    tx_now bigint not null, query_id numeric not null, amount numeric not null, source bytea not null, destination bytea, jetton bytea not null,
    response_destination bytea, custom_payload bytea, forward_ton_amount numeric, forward_payload bytea,
    primary key (account, tx_lt))`,
  'create index jetton_transfers_lt on jetton_transfers (tx_lt)',
  'create index jetton_transfers_now on jetton_transfers (tx_now)',
  'create index jetton_transfers_mc_seqno on jetton_transfers (mc_seqno)',
  'create index jetton_transfers_source on jetton_transfers (source, tx_lt)',
  'create index jetton_transfers_destination on jetton_transfers (destination, tx_lt)',
  'create index jetton_transfers_jetton on jetton_transfers (jetton, tx_lt)',

  `create table jetton_burns (
    account bytea not null, tx_lt bigint not null, mc_seqno integer not null, tx_hash bytea not null, trace_id bytea not null,
    tx_now bigint not null, aborted boolean not null, query_id numeric not null, amount numeric not null, owner bytea not null,
    jetton bytea not null, response_destination bytea, custom_payload bytea,
    primary key (account, tx_lt))`,
  'create index jetton_burns_lt on jetton_burns (tx_lt)',
  'create index jetton_burns_now on jetton_burns (tx_now)',
  'create index jetton_burns_mc_seqno on jetton_burns (mc_seqno)',
  'create index jetton_burns_owner on jetton_burns (owner, tx_lt)',
  'create index jetton_burns_jetton on jetton_burns (jetton, tx_lt)',

  `create table nft_collections (
    account bytea not null primary key, mc_seqno integer not null, next_item_index numeric not null, owner bytea, content text not null)`,
  'create index nft_collections_owner on nft_collections (owner, account)',

  `create table nft_items (
    account bytea not null primary key, mc_seqno integer not null, last_trans_lt bigint not null, init boolean not null, index numeric not null, collection bytea not null,
    owner bytea, real_owner bytea, sale bytea, sale_kind smallint, content text not null, domain text)`,
  'create index nft_items_owner on nft_items (owner, collection, index, account)',
  'create index nft_items_real_owner on nft_items (real_owner, collection, index, account)',
  'create index nft_items_collection on nft_items (collection, index, account)',
  'create index nft_items_lt on nft_items (last_trans_lt, account)',

  `create table nft_sales (
    account bytea not null primary key, mc_seqno integer not null, kind smallint not null, item bytea, seller bytea, marketplace bytea,
    created_at bigint, open boolean not null, details text not null)`,

  `create table nft_transfers (
    account bytea not null, tx_lt bigint not null, mc_seqno integer not null, tx_hash bytea not null, trace_id bytea not null,
    tx_now bigint not null, aborted boolean not null, query_id numeric not null, collection bytea not null, old_owner bytea, new_owner bytea,
    response_destination bytea, custom_payload bytea, forward_amount numeric, forward_payload bytea,
    primary key (account, tx_lt))`,
  'create index nft_transfers_lt on nft_transfers (tx_lt)',
  'create index nft_transfers_now on nft_transfers (tx_now)',
  'create index nft_transfers_mc_seqno on nft_transfers (mc_seqno)',
  'create index nft_transfers_old_owner on nft_transfers (old_owner, tx_lt)',
  'create index nft_transfers_new_owner on nft_transfers (new_owner, tx_lt)',
  'create index nft_transfers_collection on nft_transfers (collection, tx_lt)',

  `create table dns_entries (
    account bytea not null primary key, mc_seqno integer not null, domain text not null, next_resolver bytea, wallet bytea, site bytea,
    storage bytea, bidder bytea, bid numeric, auction_end bigint not null, last_fill_up bigint)`,
  'create index dns_entries_domain on dns_entries (domain)',
  'create index dns_entries_wallet on dns_entries (wallet) where wallet is not null',
  'create index dns_entries_bidder on dns_entries (bidder, auction_end, account) where bidder is not null',

  `create table token_metadata (
    account bytea not null primary key, uri text not null, content text, fetched_at bigint not null, tries integer not null,
    next_try bigint not null)`,
  'create index token_metadata_next_try on token_metadata (next_try)',
  distribute(
    ['contract_codes', 'code_hash', 'tx_by_hash'],
    ['jetton_masters', 'account', 'transactions'],
    ['jetton_wallets', 'account', 'transactions'],
    ['jetton_transfers', 'account', 'transactions'],
    ['jetton_burns', 'account', 'transactions'],
    ['nft_collections', 'account', 'transactions'],
    ['nft_items', 'account', 'transactions'],
    ['nft_sales', 'account', 'transactions'],
    ['nft_transfers', 'account', 'transactions'],
    ['dns_entries', 'account', 'transactions'],
    ['token_metadata', 'account', 'transactions'],
  ),
])
