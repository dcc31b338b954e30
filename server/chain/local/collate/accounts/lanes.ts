import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import type { Slice } from '../../../../cell/slice.ts'
import type { ShardAccount } from '../../../../tlb/state/shard-account.ts'
import { hexOf, NO_HASH } from '../../bytes.ts'

/** A transaction of the block that is being made. */
export interface LaneTransaction {
  readonly root: Cell
  readonly lt: bigint
  /** lt of the next thing that may happen to the account: after the transaction and its out messages. */
  readonly endLt: bigint
}

/** One account within the block that is being made: how it stood before, how it stands now, what happened to it. */
export interface Lane {
  /** Account id as a dictionary key. */
  readonly id: bigint
  readonly workchain: number
  readonly hash: Uint8Array
  /** Account cell in the state before the block; account_none for an account that was not there. */
  readonly accountInState: Cell
  /** Account cell before the block's first transaction: the one in the state, or what it was replaced by. */
  accountBefore: Cell
  /** The account after everything so far. */
  now: ShardAccount
  readonly transactions: LaneTransaction[]
  /** Whether the account was replaced without a transaction. */
  replaced: boolean
  /** The account cell that is known to be fit to stay in the state. */
  kept: Cell
}

/** account_none$0 */
export const ACCOUNT_NONE: Cell = beginCell().storeBit(0).end()

/** Makes an account fit to stay in the state: see createKeep. */
export type Keep = (account: Cell, before: Cell) => Cell

/** Notes a transaction and the account after it. */
export const commitTo = (lane: Lane, transaction: LaneTransaction, after: ShardAccount): void => {
  lane.transactions.push(transaction)
  lane.now = after
}

/** Replaces the account without a transaction. */
export const replaceAccount = (lane: Lane, account: Cell): void => {
  lane.now = { ...lane.now, accountCell: account }
  lane.accountBefore = account
  lane.replaced = true
}

/** Whether there is an account. */
export const exists = (account: Cell): boolean => account.bits > 1

/** The lanes of a block, opened as accounts are touched. `find` reads ShardAccounts: the leaf of an account or undefined. */
export const createLanes = (workchain: number, find: (id: bigint) => Slice | undefined, keep: Keep) => {
  const lanes = new Map<bigint, Lane>()
  const open = (id: bigint, hash: Uint8Array): Lane => {
    const leaf = find(id)
    const accountCell = leaf?.loadRef() ?? ACCOUNT_NONE
    return {
      id,
      workchain,
      hash,
      accountInState: accountCell,
      accountBefore: accountCell,
      now: { accountCell, lastTransHash: leaf?.loadBytes(32) ?? NO_HASH, lastTransLt: leaf?.loadUintBig(64) ?? 0n },
      transactions: [],
      replaced: false,
      kept: accountCell,
    }
  }
  return {
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
    /** Those touched, ascending by id, as they will stand in the state. */
    touched: (): Lane[] => {
      const found = [...lanes.values()].filter((lane) => lane.transactions.length > 0 || lane.replaced)
      for (const lane of found) {
        if (lane.now.accountCell === lane.kept) continue
        lane.kept = keep(lane.now.accountCell, lane.accountBefore)
        lane.now = { ...lane.now, accountCell: lane.kept }
      }
      return found.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
  }
}
export type Lanes = ReturnType<typeof createLanes>

/** `workchain:hex` of an account. */
export const nameOf = (lane: Lane): string => `${lane.workchain}:${hexOf(lane.hash)}`
