import { MAX_ACCOUNT_CELLS, MAX_BAG_CELLS, uniqueCells } from '../../../../cell/budget.ts'
import { beginCell } from '../../../../cell/builder.ts'
import { type Cell, CellError } from '../../../../cell/cell.ts'
import { sameBytes } from '../../../../tlb/bytes.ts'
import type { AccountId } from '../../../../tlb/ids.ts'
import { type Account, type AccountState, loadAccount, storeAccount, storeAccountStorage } from '../../../../tlb/state/account.ts'
import { type StateInit, stateInitCell } from '../../../../tlb/state/state-init.ts'
import type { AccountInput } from '../../model.ts'

/* Accounts that are made or changed without a transaction: in the zerostate, and by `local.setAccount`. */

/** AccountStorage as a cell. `used` of StorageInfo counts this cell and its tree without extra currencies (Transaction::compute_state of transaction.cpp). */
const storageCell = (account: Omit<Account, 'root'>): Cell =>
  storeAccountStorage(beginCell(), { ...account, balance: { grams: account.balance.grams } }).end()

/**
 * The account cell with measured storage, without a storage dictionary hash. The executor adds that hash in a large account's next transaction. Each
 * measured cell is a step.
 */
function* sealed(account: Omit<Account, 'root'>): Generator<void, Cell> {
  let [usedCells, usedBits] = [0n, 0]
  for (const { bits } of uniqueCells([storageCell(account)], { cells: MAX_BAG_CELLS })) {
    usedCells++
    usedBits += bits
    yield
  }
  return storeAccount({ ...account, storageStat: { ...account.storageStat, usedCells, usedBits: BigInt(usedBits), dictHash: undefined } })
}

/** `after` as a cell. `after` may differ from `before` only in fields of AccountStorage's root cell, so that the used cells need not be counted again. */
export const withUsedBits = (before: Omit<Account, 'root'>, after: Omit<Account, 'root'>): Cell => {
  const isNew = before.storageStat.usedCells === 0n
  const usedBits = BigInt(storageCell(after).bits) + (isNew ? 0n : before.storageStat.usedBits - BigInt(storageCell(before).bits))
  return storeAccount({ ...after, storageStat: { ...after.storageStat, usedBits, usedCells: isNew ? 1n : before.storageStat.usedCells } })
}

export const NO_ACCOUNT: Omit<Account, 'root' | 'addr'> = {
  storageStat: { usedCells: 0n, usedBits: 0n, lastPaid: 0 },
  lastTransLt: 0n,
  balance: { grams: 0n },
  state: { type: 'uninit' },
}

/**
 * Applies `input` to the account cell `before` (undefined: no account). Absent members do not change. Code, data, libraries or tick-tock make the account
 * active. `utime`: time up to which the storage of a new or changed account is paid; 0 for special accounts, which pay no storage. Throws CellError if a
 * changed state has more cells than an account may have. An account can have 65,536 cells, so this takes several steps.
 */
export function* applyAccountSteps(before: Cell | undefined, id: AccountId, input: AccountInput, utime: number): Generator<void, Cell> {
  const old = before === undefined ? undefined : loadAccount(before)
  const base = old ?? { ...NO_ACCOUNT, addr: { type: 'std' as const, workchain: id.workchain, hash: id.hash } }
  const wasActive = base.state.type === 'active' ? base.state.init : undefined
  const touchesState = input.code !== undefined || input.data !== undefined || input.library !== undefined || input.tickTock !== undefined
  const init: StateInit = {
    ...wasActive,
    ...(input.splitDepth === undefined ? {} : { splitDepth: input.splitDepth }),
    ...(input.tickTock === undefined ? {} : { special: input.tickTock }),
    ...(input.code === undefined ? {} : { code: input.code }),
    ...(input.data === undefined ? {} : { data: input.data }),
    ...(input.library === undefined ? {} : { library: input.library }),
  }
  const state = withStatus(touchesState ? { type: 'active', init } : base.state, input.status, id)
  const hasBalance = input.balance !== undefined || input.extra !== undefined
  const isPaid = old === undefined || touchesState || input.status !== undefined
  const after = yield* sealed({
    addr: base.addr,
    lastTransLt: base.lastTransLt,
    balance: hasBalance ? { grams: input.balance ?? base.balance.grams, other: input.extra ?? base.balance.other } : base.balance,
    state,
    storageStat: { ...base.storageStat, lastPaid: isPaid ? utime : base.storageStat.lastPaid },
  })
  if (touchesState) checkSize(after)
  return after
}

/**
 * The state of an account with the given status. As in the storage phase, freezing a contract whose StateInit hashes to its address makes the account
 * uninitialized.
 */
const withStatus = (state: AccountState, status: AccountInput['status'], id: AccountId): AccountState => {
  if (status === undefined || status === state.type) return state
  if (status === 'uninit') return { type: 'uninit' }
  if (status === 'active') throw new CellError('overflow', `the account is ${state.type}, so it can be active only with code`)
  if (state.type !== 'active') throw new CellError('overflow', 'the account has no contract to freeze')
  const stateHash = stateInitCell(state.init).hash()
  return sameBytes(stateHash, id.hash) ? { type: 'uninit' } : { type: 'frozen', stateHash }
}

const checkSize = (account: Cell): void => {
  const cells = loadAccount(account)?.storageStat.usedCells ?? 0n
  if (cells > MAX_ACCOUNT_CELLS) throw new CellError('budget', `the account would have ${cells} cells, and may have ${MAX_ACCOUNT_CELLS}`)
}
