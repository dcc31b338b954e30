import { createPauses, runSteps } from '../../base/yield.ts'
import { bocSteps } from '../../cell/boc.ts'
import { type RowBytes, Rows } from '../../store/rows/copy-rows.ts'
import { accountSets, accounts } from '../../store/schema/accounts.ts'
import { cells } from '../../store/schema/messages.ts'
import type { AccountChange } from './group-rows.ts'
import { accountRow, accountSetRow, cellRow } from './rows/account.ts'

/** Rows of complete account states. */
export interface StateRows {
  readonly changes: readonly AccountChange[]
  readonly accounts: RowBytes
  readonly cells: RowBytes
  readonly accountSets: RowBytes
}

/** A portion ends at this many accounts, or bytes of their data and codes. */
const PORTION = { accounts: 500, bytes: 8 << 20 } as const

/** Yields the rows of states in portions. `seen`: hashes of the codes whose cells have a row. */
export async function* stateRows(states: Iterable<AccountChange>, seen = new Set<string>()): AsyncGenerator<StateRows> {
  const pause = createPauses()
  const begin = () => ({
    changes: [] as AccountChange[],
    accounts: new Rows(accounts),
    cells: new Rows(cells),
    accountSets: new Rows(accountSets),
  })
  let portion = begin()
  let bytes = 0
  for (const change of states) {
    const { code, data } = change.facts
    const boc = data && (await runSteps(bocSteps([data])))
    portion.changes.push(change)
    portion.accounts.add(accountRow(change, change.facts, boc))
    portion.accountSets.add(accountSetRow(change))
    bytes += boc?.length ?? 0
    await pause()
    if (code !== undefined && !seen.has(code.hashKey())) {
      seen.add(code.hashKey())
      const row = cellRow(code, await runSteps(bocSteps([code])), change.mcSeqno)
      portion.cells.add(row)
      bytes += row.boc.length
    }
    if (portion.changes.length < PORTION.accounts && bytes < PORTION.bytes) continue
    yield portion
    portion = begin()
    bytes = 0
  }
  if (portion.changes.length > 0) yield portion
}
