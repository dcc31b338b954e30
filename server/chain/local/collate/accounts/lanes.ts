import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import type { Slice } from '../../../../cell/slice.ts'
import type { ShardAccount } from '../../../../tlb/state/shard-account.ts'
import { hexOf, NO_HASH } from '../../bytes.ts'

/** A transaction of the block under construction. */
export interface LaneTransaction {
  readonly root: Cell
  readonly lt: bigint
  /** Smallest lt of the account's next transaction: above this transaction and its out messages. */
  readonly endLt: bigint
}

/** One account in the block under construction: its state before and now, and its transactions. */
export interface Lane {
  /** Account id as a dictionary key. */
  readonly id: bigint
  readonly workchain: number
  readonly hash: Uint8Array
  /** Account cell in the state before the block; account_none if there was no account. */
  readonly accountInState: Cell
  /** Account cell before the block's first transaction: the one in the state, or its replacement. */
  accountBefore: Cell
  /** The account after the transactions so far. */
  now: ShardAccount
  readonly transactions: LaneTransaction[]
  /** Whether the account was replaced without a transaction. */
  replaced: boolean
  /** The account cell that is known to be prepared for the state. */
  kept: Cell
}

/** account_none$0 */
export const ACCOUNT_NONE: Cell = beginCell().storeBit(0).end()

/** Prepares an account to stay in the state: see createKeep. */
export type Keep = (account: Cell, before: Cell) => Cell

/** Adds a transaction and the account after it to the lane. */
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

/** Whether the cell is an account and not account_none. */
export const exists = (account: Cell): boolean => account.bits > 1

/** The lanes of a block, opened when an account is first used. `find` returns an account's leaf of ShardAccounts, or undefined. */
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
    /** Prepares an account cell that no transaction of this block made. */
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
    /** Changed lanes, ascending by id, with account cells prepared for the state. */
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
