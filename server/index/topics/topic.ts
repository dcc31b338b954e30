import type { Cell } from '../../cell/cell.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import type { TableRows } from '../../store/rows/rows.ts'
import type { Table } from '../../store/schema/table.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import type { Transaction } from '../../tlb/transaction/transaction.ts'
import type { VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'

/*
 * A topic owns tables and derives their rows from one masterchain block at a time: from its transactions, and from the accounts that it changed
 * with their states after it. The rows are written in the SQL transaction of the block: all of them or none.
 *
 * - A table is declared in server/store/schema/<topic>.ts and added to TABLES (schema/tables.ts). schema/table.ts says what its kind means.
 *   A migration (server/store/migrations/000N-<topic>.ts) makes it, under the rules of 0001-chain.ts; a test compares both. Every table but an
 *   `outside` one has `mc_seqno: int4`.
 * - The topic is added to EXTENSIONS (registry.ts). Later topics may read the tables of earlier ones.
 * - `derive` returns rows as objects: `{ tables: [rowsOf(table, rows), rowsOf(stateTable, rows, replaced)] }`. `replaced` names the accounts whose
 *   rows of a table with an owner are deleted first: rows that are not given again are gone.
 * - `derive` is a function of its arguments: of the block, of account states, of what get-methods say of those, and of the tables that
 *   `context.rows` reads. No clock, no network, no memory of other blocks (a cache of pure results may be kept). `tonway verify` derives everything
 *   again, block by block, with `context` over tables of its own; a block that failed is derived again.
 * - Rows of state tables depend on states alone, not on transactions: after a revert `derive` is called with the accounts that changed since, as
 *   they are at that block, and with no transactions. Such rows carry `account.mcSeqno`.
 * - Before the first block `derive` is called with the accounts of the start state, in portions, with no transactions and the seqno before the first.
 * - What changes with every transaction (last_trans_lt, balance, state hash) is in `accounts`: join it, do not copy it.
 * - Raise `version` when rows come out otherwise than before: the index is then made anew.
 */
export interface Extension {
  /** Of small letters; names the extension in logs and in the index. */
  readonly name: string
  readonly version: number
  readonly tables: readonly Table[]
  /** Its rows are derived again in the background when they come out otherwise than before: another version does not make the index anew. */
  readonly isRederived?: boolean
  /** Rows of one masterchain block. A rejection is retried with the block, so contracts that misbehave must not reject. */
  derive(block: BlockView, context: ExtensionContext, signal: AbortSignal): Promise<ExtensionRows>
}

/** What a topic derives of a block; tables without rows may be left out. */
export interface ExtensionRows {
  /** Made by rowsOf(table, rows, replaced). */
  readonly tables?: readonly TableRows[]
  /** The same as lines by table's name, of topics that still write lines themselves. */
  readonly rows?: Readonly<Record<string, readonly string[]>>
  readonly replaced?: Readonly<Record<string, readonly Buffer[]>>
}

/** Nothing. */
export const NO_ROWS: ExtensionRows = {}

/** A masterchain block with all shard blocks that it commits. */
export interface BlockView {
  readonly mcSeqno: number
  /** What states are pinned to. */
  readonly master: BlockId
  /** gen_utime of the masterchain block, unix seconds. */
  readonly utime: number
  /** The blocks themselves, shards before the masterchain; empty of a start state and of a revert. */
  readonly blocks: readonly SourceBlock[]
  /** By lt, then account: a sender stands before the receiver. */
  readonly transactions: readonly PlacedTransaction[]
  /** Accounts that the block changed, after it; those that are gone too (`nonexist`). */
  readonly accounts: readonly AccountView[]
}

export interface PlacedTransaction {
  readonly tx: Transaction
  /** 32 bytes. */
  readonly hash: Buffer
  readonly traceId: Buffer
  /** Whether it begins its trace although an account sent its in-message: the sender lies before the index. */
  readonly isCutOff: boolean
  /** 36 bytes: store/keys.ts. */
  readonly account: Buffer
  readonly block: SourceBlock
}

/** An account as a masterchain block leaves it. */
export interface AccountView {
  /** 36 bytes: store/keys.ts. */
  readonly key: Buffer
  readonly id: AccountId
  readonly status: 'uninit' | 'frozen' | 'active' | 'nonexist'
  readonly balance: bigint
  /** 32 bytes; of an active account. */
  readonly codeHash: Buffer | undefined
  readonly dataHash: Buffer | undefined
  readonly lastTransLt: bigint
  /** The masterchain block that changed it last, and the gen_utime of the shard block. */
  readonly mcSeqno: number
  readonly utime: number
}

export interface AccountCode {
  /** Whole cells. */
  readonly code: Cell
  readonly data: Cell
}

export interface MethodAnswer {
  /** 0 and 1 are success; any failure, of the TVM too, is an exit code. */
  readonly exitCode: number
  /** First pushed first. */
  readonly stack: readonly VmStackValue[]
}

/** What an extension may ask while it derives a block. */
export interface ExtensionContext {
  /** Reads tables of extensions: rows of the blocks before, and of this one those of earlier extensions. `select ... where account = any($1::bytea[])`: ask once for many. */
  rows<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  /** Reads the tables of blocks, transactions and messages as they are before the group of blocks that is being derived. */
  stored<R>(text: string, values: readonly unknown[]): Promise<R[]>
  /** Made once and kept from block to block, until the chain goes back or the index is opened again: a memory of what the tables say. */
  kept<T>(name: string, make: () => T): T
  /** Notes that something could not be told (a trace, by its id), and why. It is logged and counted. */
  failed(what: string, error: unknown): void
  /** Other accounts as this block leaves them, whether or not it touched them; in the order asked for, undefined where there never was one. */
  accounts(keys: readonly Buffer[]): Promise<readonly (AccountView | undefined)[]>
  /** Code and data of accounts of this block, in the order asked for; undefined where there is no code. Filter by code hash first: cells are read from the database. */
  states(accounts: readonly AccountView[]): Promise<readonly (AccountCode | undefined)[]>
  /** Where the index saw accounts of this block first (`first_lt` of their rows), in the order asked for: what lists in order of appearance stand by. */
  firstLts(accounts: readonly AccountView[]): Promise<readonly bigint[]>
  /** Runs a get-method (by name, or id) on the account's state, at its utime, with the configuration of this block. */
  run(account: AccountView, method: string | number, stack?: readonly VmStackValue[]): Promise<MethodAnswer>
  /** A public library by its hash (what a library cell stands for). */
  library(hash: Uint8Array): Promise<Cell | undefined>
  /** Made once for a block: what several extensions need alike. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
  /** A parameter of the configuration at this block. */
  configParam(param: number): Promise<Cell | undefined>
}
