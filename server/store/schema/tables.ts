import { accountSets, accounts } from './accounts.ts'
import { actionAccounts, actions, actionsProgress, traceClassifications } from './actions.ts'
import { blocks, shardTops } from './blocks.ts'
import { validatorComplaintStates, validatorComplaints, validatorComplaintVotes } from './complaints.ts'
import { contractCodes } from './contracts.ts'
import { indexCheckpoint, indexMakers, publishedHead } from './head.ts'
import { hooks } from './hooks.ts'
import { jettonBurns, jettonMasters, jettonTransfers, jettonWallets } from './jettons.ts'
import { cells, messages } from './messages.ts'
import { dnsEntries, nftCollections, nftItems, nftSales, nftTransfers } from './nfts.ts'
import { backfillRanges } from './ranges.ts'
import { nominatorPools, poolNominatorEvents, poolNominators, poolValidatorEvents } from './staking.ts'
import type { ReadRow, Table } from './table.ts'
import { tokenFlags, tokenMetadata } from './tokens.ts'
import { traces } from './traces.ts'
import { transactions, txByHash } from './transactions.ts'
import { validatorCycleMembers, validatorCycles } from './validator-cycles.ts'
import { validatorElections, validatorEvents, validatorParticipants, validatorPastElections, validatorStakes } from './validators.ts'
import { multisigMembers, multisigOrders, multisigs, vestings, vestingWhitelist } from './wallets.ts'

/** Tables that every index has. The other tables belong to folders of index/topics. */
export const CHAIN_TABLES: readonly Table[] = [
  ...[blocks, shardTops, transactions, txByHash, messages, accountSets, cells, accounts, traces],
]

export const TABLES = {
  blocks,
  shard_tops: shardTops,
  transactions,
  tx_by_hash: txByHash,
  messages,
  cells,
  accounts,
  account_sets: accountSets,
  traces,
  index_checkpoint: indexCheckpoint,
  published_head: publishedHead,
  backfill_ranges: backfillRanges,
  index_extensions: indexMakers,
  contract_codes: contractCodes,
  jetton_masters: jettonMasters,
  jetton_wallets: jettonWallets,
  jetton_transfers: jettonTransfers,
  jetton_burns: jettonBurns,
  nft_collections: nftCollections,
  nft_items: nftItems,
  nft_sales: nftSales,
  nft_transfers: nftTransfers,
  dns_entries: dnsEntries,
  token_metadata: tokenMetadata,
  token_flags: tokenFlags,
  hooks,
  validator_events: validatorEvents,
  validator_elections: validatorElections,
  validator_participants: validatorParticipants,
  validator_past_elections: validatorPastElections,
  validator_stakes: validatorStakes,
  validator_complaints: validatorComplaints,
  validator_complaint_states: validatorComplaintStates,
  validator_complaint_votes: validatorComplaintVotes,
  validator_cycles: validatorCycles,
  validator_cycle_members: validatorCycleMembers,
  nominator_pools: nominatorPools,
  pool_nominators: poolNominators,
  pool_nominator_events: poolNominatorEvents,
  pool_validator_events: poolValidatorEvents,
  multisigs,
  multisig_members: multisigMembers,
  multisig_orders: multisigOrders,
  vestings,
  vesting_whitelist: vestingWhitelist,
  trace_classifications: traceClassifications,
  actions,
  action_accounts: actionAccounts,
  actions_progress: actionsProgress,
} as const

export type TableName = keyof typeof TABLES

export type Tables = { [Name in TableName]: ReadRow<(typeof TABLES)[Name]> }
