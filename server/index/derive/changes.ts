import type { Cell } from '../../cell/cell.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import { accountKey } from '../../store/keys.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { Transaction } from '../../tlb/transaction/transaction.ts'
import type { Source } from '../follow/source.ts'
import type { Selection } from '../service/selection.ts'
import { type AccountFacts, accountFacts } from './account-facts.ts'
import type { KnownExtras } from './extras.ts'
import type { AccountChange } from './group-rows.ts'
import { hashName } from './hash-name.ts'
import { touchedAccounts } from './touched.ts'

/* What a block makes of the accounts that it changed. */

export interface ChangesDeps {
  readonly source: Pick<Source, 'account'>
  /** Kept across groups. */
  readonly extras: KnownExtras
  readonly selection: Pick<Selection, 'has'>
}

/** First and last transaction of an account in a block. */
interface Span {
  readonly firstLt: bigint
  last: Transaction
}

/** By account id as 32 one-byte characters. Transactions come by account, then lt: the last of an account leaves it as the block does. */
const spansOf = (transactions: readonly Transaction[]): ReadonlyMap<string, Span> => {
  const spans = new Map<string, Span>()
  for (const tx of transactions) {
    const id = hashName(tx.account)
    const span = spans.get(id)
    if (span === undefined) spans.set(id, { firstLt: tx.lt, last: tx })
    else span.last = tx
  }
  return spans
}

/** What blocks show of an account so far. Pruned cells show nothing; most blocks leave data as it is. */
const shownOf = (before: AccountChange | undefined, { data, code }: AccountFacts): readonly Cell[] => {
  const shown = [data, code].filter((cell) => cell !== undefined && cell.type !== 'pruned') as Cell[]
  if (before === undefined) return shown
  return shown.length === 0 ? before.cells : [...before.cells, ...shown]
}

/** Facts of an account after a block. Where the update shows too little the whole account is asked for, and counts only if it is this very state. */
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
  const asked = await source.account(master, { workchain, hash }, signal)
  // Nobody has the state any more. An update leaves out what did not change, so the currencies that are stored still hold.
  if (asked === undefined) {
    const extra = await extras.stored(accountKey(workchain, hash))
    return accountFacts(cell, extras, { extra, hidesExtra: extra === undefined })
  }
  const { account: whole } = asked
  return whole !== undefined && cell !== undefined && whole.hashKey() === cell.hashKey(0) ? accountFacts(whole, extras) : undefined
}

/** Accounts after one block. */
export interface BlockChanges {
  /** By key as 36 one-byte characters. */
  readonly changes: ReadonlyMap<string, AccountChange>
  /** Those that changed without a transaction. */
  readonly withoutTransaction: readonly AccountChange[]
  /** The account as the block leaves it, for its last transaction in the block; undefined for others, and where a part of the state is not known. */
  after(tx: Transaction): AccountFacts | undefined
}

/** `before`: what earlier blocks of the group made of accounts, by key. */
export const changesOf = async (
  { block, transactions }: { readonly block: SourceBlock; readonly transactions: readonly Transaction[] },
  master: BlockId,
  before: ReadonlyMap<string, AccountChange>,
  { selection, ...deps }: ChangesDeps,
  signal: AbortSignal,
): Promise<BlockChanges> => {
  const { workchain } = block.id
  const spans = spansOf(transactions)
  const touched = touchedAccounts(block.parts)
  const states = new Map<Transaction, AccountFacts>()
  const changes = new Map<string, AccountChange>()
  const withoutTransaction: AccountChange[] = []
  for (const id of new Set([...touched.keys(), ...spans.keys()])) {
    const hash = Buffer.from(id, 'latin1')
    if (!selection.has(workchain, hash)) continue
    const shardAccount = touched.get(id)
    const span = spans.get(id)
    const facts = await factsAfter(shardAccount?.accountCell, block, hash, master, deps, signal)
    if (facts === undefined) continue
    // A state of which only a half is known is not told.
    if (span !== undefined && !facts.hidesExtra) states.set(span.last, facts)
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
  }
  return { changes, withoutTransaction, after: (tx) => states.get(tx) }
}
