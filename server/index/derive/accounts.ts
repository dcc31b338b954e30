import { byteText } from '../../base/memory/byte-text.ts'
import { portionsOf } from '../../base/memory/portions.ts'
import { createPauses, runSteps } from '../../base/yield.ts'
import { bocSteps, parseBocRootSteps } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import { nameOf } from '../../store/row-keys.ts'
import { type RowBytes, Rows } from '../../store/rows/copy-rows.ts'
import { accounts as accountsTable } from '../../store/schema/accounts.ts'
import type { AccountFacts } from './account-facts.ts'
import { completeCells } from './complete-cells.ts'
import type { AccountChange, GroupBlock, GroupRows } from './group-rows.ts'
import type { RecentRows } from './recent-rows.ts'
import { type AccountSource, requestFacts } from './request-facts.ts'
import { accountRow, cellRow } from './rows/account.ts'

/** Number of accounts whose pruned cells are restored together. The data of one account can have 8 MB. */
const PORTION = 32
/** When rows have this many bytes, `write` gets them before further accounts are completed. */
const FULL = 32 << 20

/** The first change with each code, in the order of the blocks. */
const firstChanges = (parts: readonly Pick<GroupBlock, 'changes'>[]): ReadonlyMap<string, AccountChange> => {
  const first = new Map<string, AccountChange>()
  for (const change of parts.flatMap(({ changes }) => changes)) {
    const hash = change.facts.code?.hashKey(0)
    if (hash !== undefined && !first.has(hash)) first.set(hash, change)
  }
  return first
}

/**
 * Creates the rows of the accounts that a group of blocks changed, with their complete data. Adds missing codes to `cells`, each with the seqno of the
 * first change that has the code. So rows do not depend on how blocks are grouped. `write` gets large rows before all accounts are done.
 */
export const completeAccounts = async (
  { accounts: changed, parts, cells }: Pick<GroupRows, 'accounts' | 'cells'> & { readonly parts: readonly Pick<GroupBlock, 'changes'>[] },
  storedAccounts: Omit<RecentRows, 'senders'>,
  source: AccountSource,
  signal: AbortSignal,
  write?: (rows: RowBytes) => Promise<void>,
): Promise<RowBytes> => {
  const all = [...changed.values()]
  const unchanged = all.filter(({ facts }) => facts.data?.type === 'pruned')
  const stored = unchanged.length === 0 ? new Map<string, string>() : await storedAccounts.dataHashes(unchanged.map(({ key }) => key))
  const withStoredData = new Set(
    unchanged.filter(({ key, facts }) => stored.get(nameOf(key)) === (facts.dataHash && byteText(facts.dataHash, 'latin1'))),
  )
  const hidden = new Set<string>()
  const first = firstChanges(parts)
  for (const { facts } of [...first.values(), ...all])
    if (facts.code !== undefined && facts.code.levelMask !== 0) hidden.add(facts.code.hashKey(0))
  const codes = hidden.size === 0 ? new Set<string>() : await storedAccounts.codes([...hidden])

  let accounts = new Rows(accountsTable)
  const isCodeStored = ({ code }: AccountFacts): boolean => {
    const hash = code?.hashKey(0)
    return hash === undefined || codes.has(hash) || cells.has(hash)
  }
  const pause = createPauses()
  const bocOf = (cell: Cell): Promise<Uint8Array> => runSteps(bocSteps([cell]), signal)
  /** Restores the pruned cells of an account's data from stored cells and from cells of the group's earlier blocks. */
  const wholeData = async ({ facts, cells: shown }: AccountChange, stored: Uint8Array | undefined): Promise<Cell | undefined> => {
    const data = stored && (await runSteps(parseBocRootSteps(stored), signal))
    return await runSteps(completeCells(data === undefined ? [] : [data], shown, facts.data!), signal)
  }

  const isPartial = ({ facts: { data } }: AccountChange): boolean => data !== undefined && data.levelMask !== 0
  const complete = async (portion: readonly AccountChange[]): Promise<void> => {
    const open = portion.filter((change) => isPartial(change) && !withStoredData.has(change))
    const storedData = open.length === 0 ? new Map<string, Uint8Array>() : await storedAccounts.data(open.map(({ key }) => key))
    const bocs = new Map<AccountChange, Uint8Array>()
    const incomplete: AccountChange[] = []
    for (const change of portion) {
      const { data } = change.facts
      if (withStoredData.has(change)) {
        if (!isCodeStored(change.facts)) incomplete.push(change)
        continue
      }
      const whole = isPartial(change) ? await wholeData(change, storedData.get(nameOf(change.key))) : data
      if (whole !== undefined) bocs.set(change, await bocOf(whole))
      if ((data !== undefined && whole === undefined) || !isCodeStored(change.facts)) incomplete.push(change)
      await pause()
    }
    const requested = new Map(
      await Promise.all(incomplete.map(async (change) => [change, await requestFacts(source, change, signal)] as const)),
    )
    for (const change of portion) {
      const found = requested.get(change)
      if (found?.code !== undefined && !isCodeStored(found))
        cells.set(found.code.hashKey(), cellRow(found.code, await bocOf(found.code), change.mcSeqno))
      const facts = found ?? change.facts
      const boc = found === undefined ? bocs.get(change) : found.data && (await bocOf(found.data))
      storedAccounts.remember(change.key, facts, boc)
      accounts.add(accountRow(change, facts, boc))
      await pause()
    }
    if (write === undefined || accounts.size < FULL) return
    await write(accounts)
    accounts = new Rows(accountsTable)
  }
  for (const some of portionsOf(all, PORTION)) await complete(some)
  for (const [hash, change] of first) {
    if (codes.has(hash)) continue
    const row = cells.get(hash)
    if (row === undefined) {
      const code = (await requestFacts(source, change, signal))?.code
      if (code !== undefined) cells.set(hash, cellRow(code, await bocOf(code), change.mcSeqno))
    } else if (row.mc_seqno > change.mcSeqno) cells.set(hash, { ...row, mc_seqno: change.mcSeqno })
  }
  return accounts
}
