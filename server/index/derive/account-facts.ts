import type { Cell } from '../../cell/cell.ts'
import { CellError } from '../../cell/error.ts'
import { ACCOUNT_STATUSES } from '../../store/codes.ts'
import { readableExtra } from '../../tlb/currency.ts'
import { type Account, loadAccount } from '../../tlb/state/account.ts'
import type { Extra, ExtraCurrencies } from './extra-currency-cache.ts'

/** The facts about an account's state that rows need. Hashes of code and data are correct even if the cells are pruned. */
export interface AccountFacts {
  readonly stateHash: Uint8Array
  /** Index in ACCOUNT_STATUSES. */
  readonly status: number
  readonly balance: bigint
  /** Undefined if the account has no extra currencies, or if they are unknown (`hidesExtra`). */
  readonly extra: Extra | undefined
  readonly hidesExtra: boolean
  readonly codeHash: Uint8Array | undefined
  readonly dataHash: Uint8Array | undefined
  readonly frozenHash: Uint8Array | undefined
  readonly code: Cell | undefined
  readonly data: Cell | undefined
}

const code = (status: (typeof ACCOUNT_STATUSES)[number]): number => ACCOUNT_STATUSES.indexOf(status)

/** Hash of account_none$0: a cell of one zero bit. */
const NO_ACCOUNT_HASH: Uint8Array = Buffer.from('90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4', 'hex')

type ByHash = Pick<ExtraCurrencies, 'get' | 'set'>

/** Reads the extra currencies from their dictionary, the account's first reference. Undefined if the dictionary is pruned and not cached. */
const extraOf = (account: Account, cell: Cell, extras: ByHash | undefined): Pick<AccountFacts, 'extra'> | undefined => {
  // The cache is checked first: throwing and catching one error per block would cost more than everything else here.
  const hidden = cell.refCount > 0 && cell.ref(0).type === 'pruned' ? extras?.get(cell.ref(0).hashKey(0)) : undefined
  if (hidden !== undefined) return { extra: hidden }
  try {
    const extra = readableExtra(account.balance)
    if (extra !== undefined) extras?.set(cell.ref(0).hashKey(0), extra)
    return { extra }
  } catch (error) {
    if (!(error instanceof CellError) || error.kind !== 'pruned') throw error
    return undefined
  }
}

const NO_EXTRA = { extra: undefined }

/** Facts of an account cell; undefined if a part that rows need is pruned. `instead`: used if the extra currencies are pruned and not cached. */
export const accountFacts = (
  cell: Cell | undefined,
  cachedExtras?: ByHash,
  instead?: Pick<AccountFacts, 'extra' | 'hidesExtra'>,
): AccountFacts | undefined => {
  const account = cell && loadAccount(cell)
  const shown = account === undefined ? NO_EXTRA : extraOf(account, account.root, cachedExtras)
  const extras = shown ?? instead
  if (extras === undefined) return undefined
  const state = account?.state
  const init = state?.type === 'active' ? state.init : undefined
  return {
    stateHash: cell?.hash(0) ?? NO_ACCOUNT_HASH,
    status: code(state?.type ?? 'nonexist'),
    balance: account?.balance.grams ?? 0n,
    extra: extras.extra,
    hidesExtra: shown === undefined && instead?.hidesExtra === true,
    codeHash: init?.code?.hash(0),
    dataHash: init?.data?.hash(0),
    frozenHash: state?.type === 'frozen' ? state.stateHash : undefined,
    code: init?.code,
    data: init?.data,
  }
}
