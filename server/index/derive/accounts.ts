import { createPauses } from '../../base/yield.ts'
import { serializeBoc } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import { accountOfKey, nameOf } from '../../store/row-keys.ts'
import { createRows, type RowBytes } from '../../store/rows/rows.ts'
import { accounts as accountsTable } from '../../store/schema/accounts.ts'
import { CorruptBlockError } from '../follow/corrupt-block.ts'
import type { Source } from '../follow/source.ts'
import { type AccountFacts, accountFacts } from './account-facts.ts'
import type { AccountChange, CellRows } from './group-rows.ts'
import { accountRow, cellRow } from './rows/account.ts'
import { completeCells } from './unpruned-cells.ts'

/* Latest account states. A state update shows only the changed cells; the others come from the stored row or are requested from the source. */

export interface KnownAccounts {
  /** Data hashes of stored accounts that have data, by key as 36 one-byte characters. */
  dataHashes(keys: readonly Buffer[]): Promise<ReadonlyMap<string, string>>
  /** Root cells of data and code of stored accounts, by the same key. */
  contents(keys: readonly Buffer[]): Promise<ReadonlyMap<string, readonly Cell[]>>
  /** Those of the given code hashes (32 one-byte characters) that are stored. */
  codes(hashes: readonly string[]): Promise<ReadonlySet<string>>
  /** Notes what is about to be written for an account. Without a BoC its stored data does not change. */
  remember(key: Buffer, facts: Pick<AccountFacts, 'dataHash' | 'codeHash'>, boc: Uint8Array | undefined): void
}

const textOf = (hash: Uint8Array | undefined): string | undefined => hash && Buffer.from(hash).toString('latin1')

/** All account changes of a group's blocks, in order. */
export const historyOf = ({
  parts,
}: {
  readonly parts: readonly { readonly changes: readonly AccountChange[] }[]
}): readonly AccountChange[] => parts.flatMap(({ changes }) => changes)

/** The first change that shows each code, by code hash. */
const firstChanges = (history: Iterable<AccountChange>): ReadonlyMap<string, AccountChange> => {
  const first = new Map<string, AccountChange>()
  for (const change of history) {
    const hash = change.facts.code?.hashKey(0)
    if (hash !== undefined && !first.has(hash)) first.set(hash, change)
  }
  return first
}

/**
 * Completes the accounts of a group to rows. Adds codes that had to be requested to `cells` (rows by hash). `history`: every change of every block,
 * in order. The row of a code gets the seqno of the first block that shows it, so that rows do not depend on how blocks are grouped.
 */
export const completeAccounts = async (
  changes: Iterable<AccountChange>,
  history: Iterable<AccountChange>,
  cells: CellRows,
  known: KnownAccounts,
  source: Pick<Source, 'account'>,
  signal: AbortSignal,
): Promise<RowBytes> => {
  const all = [...changes]
  const partial = all.filter(({ facts }) => facts.data !== undefined && facts.data.levelMask !== 0)
  const unchanged = partial.filter(({ facts }) => facts.data?.type === 'pruned')
  const stored = unchanged.length === 0 ? new Map<string, string>() : await known.dataHashes(unchanged.map(({ key }) => key))
  const kept = new Set(unchanged.filter(({ key, facts }) => stored.get(nameOf(key)) === textOf(facts.dataHash)))
  const open = partial.filter((change) => !kept.has(change))
  const contents = open.length === 0 ? new Map<string, readonly Cell[]>() : await known.contents(open.map(({ key }) => key))

  const hidden = new Set<string>()
  const first = firstChanges(history)
  for (const { facts } of [...first.values(), ...all])
    if (facts.code !== undefined && facts.code.levelMask !== 0) hidden.add(facts.code.hashKey(0))
  const codes = hidden.size === 0 ? new Set<string>() : await known.codes([...hidden])

  const accounts = createRows(accountsTable)
  const isKnown = ({ code }: AccountFacts): boolean => {
    const hash = code?.hashKey(0)
    return hash === undefined || codes.has(hash) || cells.has(hash)
  }
  /** The data without pruned branches, completed from stored cells and from cells that the group's blocks showed. */
  const wholeData = ({ key, facts, cells: shown }: AccountChange): Cell | undefined =>
    completeCells(contents.get(nameOf(key)) ?? [], shown, facts.data!)

  /** Requests an account that blocks and tables do not show in full; undefined if the source no longer has the state. */
  const ask = async (change: AccountChange): Promise<AccountFacts | undefined> => {
    const asked = await source.account(change.master, accountOfKey(change.key), signal)
    const whole = asked && accountFacts(asked.account)
    if (asked !== undefined && textOf(whole?.stateHash) !== textOf(change.facts.stateHash)) {
      throw new CorruptBlockError(`the source's state of account ${change.key.toString('hex')} is not that of its block`)
    }
    return whole
  }
  const put = all.map((change) => {
    const { data } = change.facts
    const isPartial = data !== undefined && data.levelMask !== 0
    const whole = isPartial ? (kept.has(change) ? undefined : wholeData(change)) : data
    const isOpen = (isPartial && !kept.has(change) && whole === undefined) || !isKnown(change.facts)
    return { change, whole, asked: isOpen ? ask(change) : undefined }
  })
  await Promise.all(put.map(({ asked }) => asked))
  const pause = createPauses()
  for (const { change, whole, asked } of put) {
    let { facts } = change
    let data = whole
    const found = await asked
    if (found !== undefined) {
      facts = found
      data = found.data
      if (found.code !== undefined && !isKnown(found)) cells.set(found.code.hashKey(), cellRow(found.code, change.mcSeqno))
    }
    const boc = data && serializeBoc(data)
    known.remember(change.key, facts, boc)
    accounts.add(accountRow(change, facts, boc))
    await pause()
  }
  for (const [hash, change] of first) {
    if (codes.has(hash)) continue
    const row = cells.get(hash)
    if (row === undefined) {
      const code = (await ask(change))?.code
      if (code !== undefined) cells.set(hash, cellRow(code, change.mcSeqno))
    } else if (row.mc_seqno > change.mcSeqno) cells.set(hash, { ...row, mc_seqno: change.mcSeqno })
  }
  return accounts
}
