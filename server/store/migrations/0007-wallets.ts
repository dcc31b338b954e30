import { distribute, migration } from './statements.ts'

export const walletsMigration = migration([
  `create table multisigs (
    mc_seqno integer not null, threshold integer not null, account bytea not null, next_order_seqno numeric not null,
    primary key (account))`,
  `create table multisig_members (
    mc_seqno integer not null, place integer not null, role smallint not null, account bytea not null, member bytea not null,
    primary key (account, role, place))`,
  'create index multisig_members_member on multisig_members (member, role, account)',

  `create table multisig_orders (
    expiration_date bigint, mc_seqno integer not null, threshold integer, approvals_num integer, sent boolean,
    account bytea not null, multisig bytea not null, order_seqno numeric not null, approvals_mask numeric, order_boc bytea,
    primary key (account))`,
  'create index multisig_orders_multisig on multisig_orders (multisig, account)',

  `create table vestings (
    start_time bigint not null, total_duration bigint not null, unlock_period bigint not null, cliff_duration bigint not null,
    mc_seqno integer not null, account bytea not null, sender bytea not null, owner bytea not null, total_amount numeric not null,
    primary key (account))`,
  'create index vestings_sender on vestings (sender, account)',
  'create index vestings_owner on vestings (owner, account)',
  `create table vesting_whitelist (
    mc_seqno integer not null, place integer not null, account bytea not null, wallet bytea not null,
    primary key (account, wallet))`,
  'create index vesting_whitelist_wallet on vesting_whitelist (wallet, account)',
  distribute(
    ['multisigs', 'account', 'transactions'],
    ['multisig_members', 'account', 'transactions'],
    ['multisig_orders', 'account', 'transactions'],
    ['vestings', 'account', 'transactions'],
    ['vesting_whitelist', 'account', 'transactions'],
  ),
])
