import { TonError } from '../../../shared/errors.ts'
import { blocksByNumber } from '../../store/queries/blocks.ts'
import { keyOf } from '../../store/queries/conditions.ts'
import { transactionsByKeys } from '../../store/queries/transactions/by-key.ts'
import type { TransactionParams } from '../../store/queries/transactions/list.ts'
import { keyText, type TransactionKey, type TransactionRow } from '../../store/queries/transactions/transaction-key.ts'
import type { View } from '../../store/queries/view.ts'
import { accountOfKey, distinct } from '../../store/row-keys.ts'
import { type AccountId, type BlockId, blockText, MASTERCHAIN, type ShortBlockId, shardFromWire, WHOLE_SHARD } from '../../tlb/ids.ts'

/* What the proof of an answer is about. It is read in the answer's snapshot; the chain is queried only after the snapshot was released. */

export interface ProvenRow {
  readonly account: AccountId
  readonly lt: bigint
  readonly hash: Buffer
  readonly block: BlockId
}

export interface ProofSubject {
  /** The head of the snapshot. Everything is proven from it. */
  readonly head: BlockId
  readonly rows: readonly ProvenRow[]
  /** The account whose transactions the page has, newest first. `isFirst`: the page begins with the newest transaction. */
  readonly ofAccount?: { readonly id: AccountId; readonly isFirst: boolean } | undefined
  readonly ofBlock?: BlockId | undefined
  readonly states?: readonly AccountId[] | undefined
}

/** Parameters of a list of transactions. A page of one account or block is proven as a whole, unless other filters narrow it. */
type PageOf = Partial<TransactionParams>

const NOT_FILTERS = new Set(['limit', 'offset', 'sort', 'cursor', 'proofs', 'x_timeout', 'x_no_address_book', 'x_no_metadata'])

const filtersOf = (params: object): string =>
  Object.entries(params)
    .flatMap(([name, value]) => (value === undefined || NOT_FILTERS.has(name) ? [] : [name]))
    .sort()
    .join()

const accountOf = (params: PageOf): ProofSubject['ofAccount'] =>
  filtersOf(params) === 'account' && params.account?.length === 1 && params.sort === 'desc'
    ? { id: params.account[0]!, isFirst: !params.cursor && params.offset === 0 }
    : undefined

const blockOf = (params: PageOf): ShortBlockId | undefined =>
  filtersOf(params) === 'seqno,shard,workchain'
    ? { workchain: params.workchain!, shard: shardFromWire(params.shard!), seqno: params.seqno! }
    : undefined

const numberOf = ({ workchain, block_shard, block_seqno }: TransactionRow): ShortBlockId => ({
  workchain,
  shard: shardFromWire(BigInt(block_shard)),
  seqno: block_seqno,
})

const headOf = ({ head }: View): ShortBlockId => ({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: head })

/** Reads the ids of blocks. The returned function throws CHAIN for a block that the index does not have. */
const readIds = async (view: View, numbers: readonly ShortBlockId[]): Promise<(number: ShortBlockId) => BlockId> => {
  const ids = new Map((await blocksByNumber(view, numbers)).map((id) => [blockText(id), id]))
  return (number) => {
    const id = ids.get(blockText(number))
    if (id === undefined) throw new TonError('CHAIN', `the index does not have block ${blockText(number)}`)
    return id
  }
}

export const transactionSubject = async (view: View, rows: readonly TransactionRow[], params: PageOf): Promise<ProofSubject> => {
  const block = blockOf(params)
  const idOf = await readIds(view, [headOf(view), ...(block ? [block] : []), ...rows.map(numberOf)])
  return {
    head: idOf(headOf(view)),
    rows: rows.map((row) => ({ account: accountOfKey(row.account), lt: BigInt(row.lt), hash: row.hash, block: idOf(numberOf(row)) })),
    ofAccount: accountOf(params),
    ofBlock: block && idOf(block),
  }
}

/** What a proof is about, for a list whose rows are parts of transactions. */
export const partsSubject = async (view: View, keys: readonly TransactionKey[]): Promise<ProofSubject> => {
  const found = new Map((await transactionsByKeys(view, keys)).map((row) => [keyText(row), row]))
  const rows = keys.map((key) => {
    const row = found.get(keyText(key))
    if (row === undefined) throw new TonError('CHAIN', `the index does not have transaction ${key.lt}`)
    return row
  })
  return await transactionSubject(view, rows, {})
}

/** What a proof is about, for a list in which each row has its own transaction. */
export const ownTransactions = (view: View, rows: readonly { readonly account: Buffer; readonly tx_lt: string }[]): Promise<ProofSubject> =>
  partsSubject(
    view,
    rows.map(({ account, tx_lt }) => ({ account, lt: tx_lt })),
  )

export const statesSubject = async (view: View, accounts: readonly AccountId[]): Promise<ProofSubject> => {
  const idOf = await readIds(view, [headOf(view)])
  return { head: idOf(headOf(view)), rows: [], states: distinct(accounts.map(keyOf)).map(accountOfKey) }
}
