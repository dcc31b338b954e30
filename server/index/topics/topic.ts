import type { Cell } from '../../cell/cell.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import type { TableRows } from '../../store/rows/copy-rows.ts'
import type { Select } from '../../store/schema/select.ts'
import type { AccountTable, Table } from '../../store/schema/table.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import type { Transaction } from '../../tlb/transaction/transaction.ts'
import type { VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'
import type { RowsByAccount } from './account-rows.ts'

/*
 * A topic owns tables and derives their rows from one masterchain block at a time: from its transactions, and from the states of the changed accounts after
 * the block. The rows are written in the SQL transaction of the block.
 *
 * - A table is declared in server/store/schema/<topic>.ts, a file that schema/tables.ts imports. schema/table.ts explains the kinds of table.
 *   A migration (server/store/migrations/000N-<topic>.ts) creates it, under the rules of 0001-chain.ts; a test compares both. Every table except
 *   `outside` ones has `mc_seqno: int4`.
 * - The topic is added to TOPICS (registry.ts). Later topics may read the tables of earlier ones.
 * - `derive` returns rows as objects: `[rowsOf(table, rows), rowsOf(stateTable, rows, replaced)]`. `replaced` lists the accounts whose
 *   rows in a table with an owner are deleted first. So a row that is not returned again disappears.
 * - `derive` depends only on its arguments: the block, account states, results of get-methods on them, and the tables that `context.rows` reads. No clock,
 *   no network, no memory of other blocks (a cache of pure results is allowed). `tonway verify` derives everything again, block by block, with a `context`
 *   over its own tables. The session after a failure derives the block again. So the same arguments must always give the same rows.
 * - Rows of state tables depend only on states after the block that last changed the account: its own, and those of other accounts. After a revert `derive`
 *   is called for each of these blocks, without transactions, with accounts that changed since. Such rows carry `account.mcSeqno`.
 * - Before the first block `derive` is called with all accounts that exist then, in portions, without transactions. The seqno is the one before the
 *   first block.
 * - Values that change with every transaction (last_trans_lt, balance, state hash) are in `accounts`: join it, do not copy them.
 * - Raise `version` when the rows for the same blocks change. The index is then rebuilt.
 */
export interface Topic {
  /** Lower case. Identifies the topic in logs and in the index. */
  readonly name: string
  readonly version: number
  readonly tables: readonly Table[]
  /** True: a higher `version` does not rebuild the index. The topic derives its stored rows again in the background. */
  readonly isRederived?: boolean
  /** True: no topic reads these tables while it derives. Their rows are written together at the end of a group of blocks, which is cheaper. */
  readonly isUnread?: boolean
  /**
   * Returns whether the topic can have rows of an account in this state. `methods`: ids of the get-methods in its code. Missing in topics whose rows do not
   * follow from the state of a single account.
   */
  concerns?(account: AccountView, methods: ReadonlySet<number> | undefined): boolean
  /** Derives the rows of one masterchain block. The indexer retries a block whose promise rejects, so a faulty contract must not make the promise reject. */
  derive(block: BlockView, context: TopicContext): Promise<readonly TableRows[]>
}

/** A masterchain block with all shard blocks that it commits. */
export interface BlockView {
  readonly mcSeqno: number
  /** The first block of those that are written together, whose traces and cells the tables lack; they have all rows before. Without a block: `mcSeqno`. */
  readonly groupSeqno: number
  /** The block id for requests about account states. */
  readonly master: BlockId
  /** The blocks, shards before the masterchain. Empty for the state before the first block, and after a revert. */
  readonly blocks: readonly SourceBlock[]
  /** Sorted by lt, then by account, so a message's sender comes before its receiver. */
  readonly transactions: readonly PlacedTransaction[]
  /** Changed accounts in their states after the block, also deleted ones (`nonexist`). */
  readonly accounts: readonly AccountView[]
  /** After a revert: keys of all accounts that the reverted blocks had changed, also of accounts that do not exist at this block. Their rows are deleted. */
  readonly undone?: readonly Buffer[]
}

export interface PlacedTransaction {
  readonly tx: Transaction
  readonly hash: Buffer
  readonly traceId: Buffer
  /** True for the first indexed transaction of a trace that began before the first indexed block. */
  readonly isCutOff: boolean
  /** Key of the account, 36 bytes (store/row-keys.ts). */
  readonly account: Buffer
  readonly block: SourceBlock
}

export interface AccountView {
  /** Key of the account, 36 bytes (store/row-keys.ts). */
  readonly key: Buffer
  readonly id: AccountId
  readonly status: 'uninit' | 'frozen' | 'active' | 'nonexist'
  readonly balance: bigint
  readonly codeHash: Buffer | undefined
  readonly dataHash: Buffer | undefined
  readonly lastTransLt: bigint
  /** Seqno of the masterchain block that last changed the account; `utime` is the gen_utime of the shard block. */
  readonly mcSeqno: number
  readonly utime: number
}

export interface AccountCode {
  readonly code: Cell
  readonly data: Cell
}

export interface MethodAnswer {
  /** 0 and 1 mean success. A run that the TVM could not finish has an exit code too. */
  readonly exitCode: number
  /** In the order of pushes: the top of the stack is last. */
  readonly stack: readonly VmStackValue[]
}

export interface TopicContext {
  /**
   * Reads tables of topics: the rows of earlier blocks, and the rows of earlier topics for this block. Read many accounts at once: `select(table, columns,
   * 'where account = any($1::bytea[])')` (schema/select.ts).
   */
  rows<R>(query: Select<R> | string, values?: readonly unknown[]): Promise<R[]>
  /**
   * Returns a function that lists the accounts with rows in a table with an owner. Recently read or written rows come from memory, so prefer this function
   * to a query by account.
   */
  owners(keys: readonly Buffer[]): Promise<(of: Table) => readonly Buffer[]>
  /** Rows of accounts in a table with an owner, by account (36 bytes as a latin1 string). Reads from memory like `owners`. */
  accountRows<T extends AccountTable>(of: T, keys: readonly Buffer[]): Promise<RowsByAccount<T>>
  /** Reads the tables of blocks, transactions and messages, which have rows of later blocks too. */
  stored<R>(query: Select<R> | string, values: readonly unknown[]): Promise<R[]>
  /** Writes rows at once, if all rows of a block together would fill the memory. */
  put(made: readonly TableRows[]): Promise<void>
  /** Creates a value once and caches it from block to block, until a revert or until the index is opened again. Use it to cache table contents. */
  cached<T>(name: string, make: () => T): T
  /** Logs and counts a failed derivation. `what`: what could not be derived, such as the id of a trace. */
  failed(what: string, error: unknown): void
  /** Counts a part of a block that is not in the rows because of its size. */
  leaveOut(): void
  /** Any accounts after this block, changed or not, in the order of the keys; undefined for an account that does not exist. */
  accounts(keys: readonly Buffer[]): Promise<readonly (AccountView | undefined)[]>
  /** Code and data in the order of the accounts; undefined if there is no code. Filter by code hash first, because cells are read from the database. */
  states(accounts: readonly AccountView[]): Promise<readonly (AccountCode | undefined)[]>
  /** Returns a function that finds `first_lt` of these accounts: the lt at which the index first saw the account. */
  firstLts(accounts: readonly AccountView[]): Promise<(account: AccountView) => bigint>
  /** Returns a function that finds the masterchain seqno of an account's last change; 0 if the account is not indexed. */
  lastChanges(keys: readonly Buffer[]): Promise<(key: Buffer) => number>
  /** Runs a get-method (by name or id) on the account's state, at its utime, with the configuration of this block. */
  run(account: AccountView, method: string | number, stack?: readonly VmStackValue[]): Promise<MethodAnswer>
  /** A public library by its hash (the target of a library cell); undefined if it does not exist. */
  library(hash: Uint8Array): Promise<Cell | undefined>
  /** Creates a value once per block, for all topics. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
  configParam(param: number): Promise<Cell | undefined>
}
