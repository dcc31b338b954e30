import { TonError } from '../../shared/errors.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import type { Params } from '../../shared/registry.ts'
import { runSteps } from '../base/yield.ts'
import { parseAccountBocOr } from '../cell/boc.ts'
import type { Budget } from '../cell/budget.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { applyAccountSteps } from '../chain/local/collate/accounts/account-input.ts'
import type { AccountInput } from '../chain/local/model.ts'
import type { AccountId } from '../tlb/ids.ts'
import { ACCOUNT_NONE, loadAccount } from '../tlb/state/account.ts'
import type { EmulateRequest } from './trace.ts'

/* Replaces states of accounts in an emulation, with the same code as `local.setAccount`. */

const invalid = (i: number, text: string, cause?: unknown): TonError =>
  new TonError('INVALID_PARAMS', `invalid request: overrides[${i}].${text}`, { cause })

const cellOf = async (i: number, name: string, boc: Uint8Array, budget: Budget): Promise<Cell> => {
  const cell = await parseAccountBocOr(boc, (error) => invalid(i, `${name} is not a BoC: ${error.message}`, error), budget)
  if (cell.level !== 0) throw invalid(i, `${name} must have zero level: it has pruned branches outside of Merkle cells`)
  return cell
}

const extraOf = (amounts: Readonly<Record<string, bigint>>): ReadonlyMap<number, bigint> =>
  new Map(Object.entries(amounts).flatMap(([id, amount]) => (amount === 0n ? [] : [[Number(id), amount]])))

interface Override extends Omit<AccountInput, 'status'> {
  readonly i: number
  readonly account: AccountId
  readonly status: Params<'emulate.bundle'>['overrides'][number]['status']
}

export interface Overrides {
  readonly accounts: readonly AccountId[]
  readonly stateOf: NonNullable<EmulateRequest['stateOf']>
}

/**
 * Parses overrides. `stateOf` rejects with INVALID_PARAMS for an override that the account's present state does not allow. `now`: unix seconds up to which
 * overridden accounts have paid their storage.
 */
export const readOverrides = async (overrides: Params<'emulate.bundle'>['overrides'], now: number, budget: Budget): Promise<Overrides> => {
  const read: Override[] = []
  for (const [i, { address, balance, code, data, extra_currencies: extra, status }] of overrides.entries()) {
    read.push({
      i,
      account: address,
      status,
      ...(balance !== undefined && { balance }),
      ...(extra && { extra: extraOf(extra) }),
      ...(code && { code: await cellOf(i, 'code', code, budget) }),
      ...(data && { data: await cellOf(i, 'data', data, budget) }),
    })
  }
  const byName = new Map(read.map((each) => [formatRaw(each.account, 'lower'), each]))
  return {
    accounts: overrides.map(({ address }) => address),
    async stateOf(id, inBlock, utime) {
      const override = byName.get(formatRaw(id, 'lower'))
      if (override === undefined) return undefined
      const { status, ...input } = override
      if (status === 'nonexist') return { ...inBlock, accountCell: ACCOUNT_NONE }
      const before = loadAccount(inBlock.accountCell)
      // Special accounts pay no storage.
      const paid = before?.storageStat.lastPaid === 0 ? 0 : Math.max(now, utime)
      try {
        const steps = applyAccountSteps(before && inBlock.accountCell, id, { ...input, ...(status && { status }) }, paid)
        return { ...inBlock, accountCell: await runSteps(steps) }
      } catch (error) {
        if (!(error instanceof CellError)) throw error
        throw invalid(override.i, `${status === undefined ? 'data' : 'status'}: ${error.message}`, error)
      }
    },
  }
}
