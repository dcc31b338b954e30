import { byteText } from '../../base/memory/byte-text.ts'
import { createPauses, runSteps } from '../../base/yield.ts'
import type { Cell } from '../../cell/cell.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import { accountKey } from '../../store/row-keys.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { Transaction } from '../../tlb/transaction/transaction.ts'
import type { Source } from '../follow/source.ts'
import type { Selection } from '../service/account-selection.ts'
import { type AccountFacts, accountFacts } from './account-facts.ts'
import { changedAccounts } from './changed-accounts.ts'
import type { ExtraCurrencies } from './extra-currency-cache.ts'
import type { AccountChange } from './group-rows.ts'

export interface ChangesDeps {
  readonly source: Pick<Source, 'account'>
  readonly extras: ExtraCurrencies
  readonly selection: Pick<Selection, 'has'>
}

interface Span {
  readonly firstLt: bigint
  last: Transaction
}

/**
 * First and last transaction of each account, by account id as 32 one-byte characters. Transactions are sorted by account, then lt, so an account's last
 * transaction gives its final state.
 */
const spansOf = (transactions: readonly Transaction[]): ReadonlyMap<string, Span> => {
  const spans = new Map<string, Span>()
  for (const tx of transactions) {
    const id = byteText(tx.account, 'latin1')
    const span = spans.get(id)
    if (span === undefined) spans.set(id, { firstLt: tx.lt, last: tx })
    else span.last = tx
  }
  return spans
}

/**
 * Returns the data and code cells of an account: those from the earlier blocks that are derived together with this one (`before`), then those from this
 * block. Leaves out pruned cells, because they contain nothing.
 */
const shownOf = (before: AccountChange | undefined, { data, code }: AccountFacts): readonly Cell[] => {
  const shown = [data, code].filter((cell) => cell !== undefined && cell.type !== 'pruned') as Cell[]
  if (before === undefined) return shown
  return shown.length === 0 ? before.cells : [...before.cells, ...shown]
}

/** Returns the facts of an account after a block. If the state update lacks cells, the complete account is requested, and used only if its hash matches. */
const factsAfter = async (
  cell: Cell | undefined,
  block: SourceBlock,
  hash: Uint8Array,
  master: BlockId,
  { source, extras }: Pick<ChangesDeps, 'source' | 'extras'>,
  signal: AbortSignal,
): Promise<AccountFacts | undefined> => {
  const facts = accountFacts(cell, extras)
  if (facts !== undefined) return facts
  const { workchain } = block.id
  const answer = await source.account(master, { workchain, hash }, signal)
  if (answer === undefined) {
    const extra = await extras.stored(accountKey(workchain, hash))
    return accountFacts(cell, extras, { extra, hidesExtra: extra === undefined })
  }
  const { account: whole } = answer
  return whole !== undefined && cell !== undefined && whole.hashKey() === cell.hashKey(0) ? accountFacts(whole, extras) : undefined
}

/** Finds the accounts that a block changed. `before`: changes by earlier blocks of the same group of blocks, by account key. */
export const changesOf = async (
  { block, transactions }: { readonly block: SourceBlock; readonly transactions: readonly Transaction[] },
  master: BlockId,
  before: ReadonlyMap<string, AccountChange>,
  { selection, ...deps }: ChangesDeps,
  signal: AbortSignal,
) => {
  const { workchain } = block.id
  const spans = spansOf(transactions)
  const touched = await runSteps(changedAccounts(block), signal)
  /** States of accounts after the block, by their last transaction in it. Without those of which a part is unknown. */
  const after = new Map<Transaction, AccountFacts>()
  /** By account key (36 one-byte characters). */
  const changes = new Map<string, AccountChange>()
  const withoutTransaction: AccountChange[] = []
  const pause = createPauses()
  for (const id of new Set([...touched.keys(), ...spans.keys()])) {
    const hash = Buffer.from(id, 'latin1')
    if (!selection.has(workchain, hash)) continue
    const shardAccount = touched.get(id)
    const span = spans.get(id)
    const facts = await factsAfter(shardAccount?.accountCell, block, hash, master, deps, signal)
    if (facts === undefined) continue
    // A state with unknown extra currencies is not stored with the transaction.
    if (span !== undefined && !facts.hidesExtra) after.set(span.last, facts)
    const key = accountKey(workchain, hash)
    const name = key.toString('latin1')
    const earlier = before.get(name)
    const lastTransLt = shardAccount?.lastTransLt ?? span?.last.lt ?? 0n
    const change: AccountChange = {
      key,
      facts,
      mcSeqno: master.seqno,
      master,
      utime: block.info.genUtime,
      lastTransHash: shardAccount?.lastTransHash ?? span?.last.root.hash(),
      lastTransLt,
      firstLt: earlier?.firstLt ?? span?.firstLt ?? lastTransLt,
      cells: shownOf(earlier, facts),
    }
    changes.set(name, change)
    if (span === undefined) withoutTransaction.push(change)
    await pause()
  }
  return { changes, withoutTransaction, after }
}
