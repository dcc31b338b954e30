import { byteText } from '../../../../base/memory/byte-text.ts'
import { runSteps } from '../../../../base/yield.ts'
import { uniqueCells } from '../../../../cell/budget.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { compactSteps } from '../../../../cell/copy-cells.ts'
import type { Slice } from '../../../../cell/slice.ts'
import { toHex } from '../../../../tlb/bytes.ts'
import { ACCOUNT_NONE, loadAccount } from '../../../../tlb/state/account.ts'
import type { ShardAccount } from '../../../../tlb/state/shard-account.ts'
import { createShareCode } from '../../../../tlb/state/share-account-code.ts'
import { keyOf, NO_HASH } from '../../hash-keys.ts'

export interface AccountTransaction {
  readonly root: Cell
  readonly lt: bigint
  /** Minimum lt of the account's next transaction, above the lts of this transaction and its out messages. */
  readonly endLt: bigint
}

export interface BlockAccount {
  readonly id: bigint
  readonly workchain: number
  readonly hash: Uint8Array
  /** Account cell in the state before the block; account_none if there was no account. */
  readonly accountInState: Cell
  /** Account cell before the block's first transaction. `replaceAccount` changes it. */
  accountBefore: Cell
  now: ShardAccount
  readonly transactions: AccountTransaction[]
  replaced: boolean
  prepared: Cell
}

/** Prepares an account cell for the state. An account can have 65,536 cells, so this takes several steps. */
export type Keep = (account: Cell, before: Cell) => Generator<void, Cell>

export const commitTo = (blockAccount: BlockAccount, transaction: AccountTransaction, after: ShardAccount): void => {
  blockAccount.transactions.push(transaction)
  blockAccount.now = after
}

export const replaceAccount = (blockAccount: BlockAccount, account: Cell): void => {
  blockAccount.now = { ...blockAccount.now, accountCell: account }
  blockAccount.accountBefore = account
  blockAccount.replaced = true
}

/** True if the cell is not account_none. */
export const exists = (account: Cell): boolean => account.bits > 1

/** Reads an account from the state when it is first used. `find` returns an account's leaf of ShardAccounts, or undefined. */
export const createBlockAccounts = (workchain: number, find: (id: bigint) => Slice | undefined, keep: Keep) => {
  const blockAccounts = new Map<string, BlockAccount>()
  const open = (hash: Uint8Array): BlockAccount => {
    const id = keyOf(hash)
    const leaf = find(id)
    const accountCell = leaf?.loadRef() ?? ACCOUNT_NONE
    // Throws AbsentCellError if the account was not fetched.
    accountCell.slice()
    return {
      id,
      workchain,
      hash,
      accountInState: accountCell,
      accountBefore: accountCell,
      now: { accountCell, lastTransHash: leaf?.loadBytes(32) ?? NO_HASH, lastTransLt: leaf?.loadUintBig(64) ?? 0n },
      transactions: [],
      replaced: false,
      prepared: accountCell,
    }
  }
  const changed = (): BlockAccount[] =>
    [...blockAccounts.values()]
      .filter((blockAccount) => blockAccount.transactions.length > 0 || blockAccount.replaced)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    keep: (account: Cell): Promise<Cell> => runSteps(keep(account, ACCOUNT_NONE)),
    get(hash: Uint8Array): BlockAccount {
      const key = byteText(hash, 'latin1')
      const opened = blockAccounts.get(key)
      if (opened !== undefined) return opened
      const blockAccount = open(hash)
      blockAccounts.set(key, blockAccount)
      return blockAccount
    },
    /** Changed accounts, ascending by id. */
    changed,
    /** Prepares the account cells of the changed accounts for the state. */
    async prepare(): Promise<void> {
      for (const blockAccount of changed()) {
        if (blockAccount.now.accountCell === blockAccount.prepared) continue
        blockAccount.prepared = await runSteps(keep(blockAccount.now.accountCell, blockAccount.accountBefore))
        blockAccount.now = { ...blockAccount.now, accountCell: blockAccount.prepared }
      }
    },
  }
}
export type BlockAccounts = ReturnType<typeof createBlockAccounts>

export const nameOf = (blockAccount: BlockAccount): string => `${blockAccount.workchain}:${toHex(blockAccount.hash)}`

/** The special accounts that are active and have their tick (or tock) flag set. */
export const wantsTickTock = (special: readonly BlockAccount[], tick: boolean): BlockAccount[] =>
  special.filter((blockAccount) => {
    const state = loadAccount(blockAccount.now.accountCell)?.state
    const wants = state?.type === 'active' ? state.init.special : undefined
    return tick ? wants?.tick === true : wants?.tock === true
  })

/** About the memory that one cell takes. */
const CELL_BYTES = 150
/** Number of cells after which an account is not counted further: an account with so many shares its code with no other. */
const MAX_COUNTED = 2_048

const sizeOf = (account: Cell): number => {
  const budget = { cells: MAX_COUNTED }
  for (const _ of uniqueCells([account], budget)) if (budget.cells === 0) break
  return (MAX_COUNTED - budget.cells) * CELL_BYTES
}

/**
 * Prepares account cells for the state. Cells that come from a BoC are copied, so that the state does not retain the whole BoC in memory.
 * New accounts with the same code share the code's cells, also across blocks. Cells that a transaction does not change remain the same objects.
 */
export const createKeep = (): Keep => {
  const shareCode = createShareCode()
  return function* (account, before) {
    const own = yield* compactSteps(account)
    // Only an account that had no state before can bring code that other accounts already have.
    return exists(own) && before.refCount === 0 ? shareCode(own, sizeOf(own)) : own
  }
}
