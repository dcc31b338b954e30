import { parseBocRoot, serializeBoc } from '../../../../cell/boc.ts'
import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import type { Slice } from '../../../../cell/slice.ts'
import { hexOf, NO_HASH } from '../../bytes.ts'
import type { TransactionBrief } from '../run/brief.ts'

/** One account within the block that is being made: how it stood before, how it stands now, what happened to it. */
export interface Lane {
  /** Account id as a dictionary key. */
  readonly id: bigint
  readonly hash: Uint8Array
  /** `workchain:hex`: the name of the account in calls of the TVM. */
  readonly name: string
  /** Account cell in the state before the block; account_none for an account that was not there. */
  readonly accountInState: Cell
  /** Account cell before the block's first transaction: the one in the state, or what it was replaced by. */
  accountBefore: Cell
  /** Account cell after everything committed so far; of a lane with transactions only after `settle`. */
  account: Cell
  /** hash and lt of the last transaction, as ShardAccount tells them. */
  lastTransHash: Uint8Array
  lastTransLt: bigint
  /** ShardAccount after everything committed so far, as the emulator takes it; undefined until somebody asks. */
  boc: Uint8Array | undefined
  /** Whether `boc` is newer than `account`. */
  unread: boolean
  readonly transactions: TransactionBrief[]
  /** Whether the account was replaced without a transaction. */
  replaced: boolean
}

/** account_none$0 */
export const ACCOUNT_NONE: Cell = beginCell().storeBit(0).end()

// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
/** ShardAccount of a lane as it stands. */
const shardAccountOf = (lane: Lane): Cell =>
  beginCell().storeRef(lane.account).storeBytes(lane.lastTransHash).storeUint(lane.lastTransLt, 64).end()

/** ShardAccount of a lane as the emulator takes it. */
export const bocOf = (lane: Lane): Uint8Array => {
  lane.boc ??= serializeBoc(shardAccountOf(lane), { crc32c: false })
  return lane.boc
}

/** Notes a transaction and the ShardAccount that the emulator gave after it. */
export const commitTo = (lane: Lane, brief: TransactionBrief, boc: Uint8Array): void => {
  lane.transactions.push(brief)
  lane.boc = boc
  lane.unread = true
  lane.lastTransHash = brief.root.hash()
  lane.lastTransLt = brief.lt
}

/** Makes an account fit to stay in the state: see createKeep. */
export type Keep = (account: Cell, before: Cell) => Cell

/** Reads the account cell out of the ShardAccount of the last transaction; once for any number of transactions. */
const settle = (lane: Lane, keep: Keep): void => {
  if (!lane.unread) return
  lane.account = keep(parseBocRoot(lane.boc!).ref(0), lane.account)
  lane.unread = false
}

/** Replaces the account without a transaction. */
export const replaceAccount = (lane: Lane, account: Cell): void => {
  lane.account = account
  lane.accountBefore = account
  lane.boc = undefined
  lane.replaced = true
}

/** Whether there is an account. */
export const exists = (account: Cell): boolean => account.bits > 1

/** The lanes of a block, opened as accounts are touched. `find` reads ShardAccounts: the leaf of an account or undefined. */
export const createLanes = (workchain: number, find: (id: bigint) => Slice | undefined, keep: Keep) => {
  const lanes = new Map<bigint, Lane>()
  const open = (id: bigint, hash: Uint8Array): Lane => {
    const leaf = find(id)
    const account = leaf?.loadRef() ?? ACCOUNT_NONE
    return {
      id,
      hash,
      name: `${workchain}:${hexOf(hash)}`,
      accountInState: account,
      accountBefore: account,
      account,
      lastTransHash: leaf?.loadBytes(32) ?? NO_HASH,
      lastTransLt: leaf?.loadUintBig(64) ?? 0n,
      boc: undefined,
      unread: false,
      transactions: [],
      replaced: false,
    }
  }
  return {
    /** Reads the account of a lane as it stands. */
    settle: (lane: Lane): void => settle(lane, keep),
    /** Makes a cell that is not of this block's making fit to stay in the state. */
    keep: (account: Cell): Cell => keep(account, ACCOUNT_NONE),
    /** The lane of an account of this workchain. */
    lane(hash: Uint8Array): Lane {
      const id = BigInt(`0x${hexOf(hash)}`)
      const known = lanes.get(id)
      if (known !== undefined) return known
      const lane = open(id, hash)
      lanes.set(id, lane)
      return lane
    },
    /** Those touched, ascending by id. */
    touched: (): Lane[] =>
      [...lanes.values()].filter((lane) => lane.transactions.length > 0 || lane.replaced).sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
}
export type Lanes = ReturnType<typeof createLanes>
