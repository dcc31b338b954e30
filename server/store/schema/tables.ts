import { accountSets, accounts } from './accounts.ts'
import * as actions from './actions.ts'
import { blocks, shardTops } from './blocks.ts'
import * as complaints from './complaints.ts'
import * as contracts from './contracts.ts'
import { indexCheckpoint, indexMakers, publishedHead } from './head.ts'
import * as hooks from './hooks.ts'
import * as jettons from './jettons.ts'
import { cells, messages } from './messages.ts'
import * as nfts from './nfts.ts'
import * as ranges from './ranges.ts'
import * as staking from './staking.ts'
import type { ReadRow, Table } from './table.ts'
import * as tokens from './tokens.ts'
import { traces } from './traces.ts'
import { transactions, txByHash } from './transactions.ts'
import * as cycles from './validator-cycles.ts'
import * as validators from './validators.ts'
import * as wallets from './wallets.ts'

const chain = { blocks, shardTops, transactions, txByHash, messages, accountSets, cells, accounts, traces }
const topics = { ...actions, ...complaints, ...contracts, ...cycles, ...jettons, ...nfts, ...staking, ...tokens, ...validators, ...wallets }
const all = { ...chain, ...topics, ...ranges, ...hooks, indexCheckpoint, indexMakers, publishedHead }

/** Tables that every index has. The other tables belong to folders of index/topics. */
export const CHAIN_TABLES: readonly Table[] = Object.values(chain)

export const TABLES: readonly Table[] = Object.values(all)

type All = typeof all

export type TableName = All[keyof All]['name']

export type Tables = { [Key in keyof All as All[Key]['name']]: ReadRow<All[Key]> }
