import type { Cell } from '../../cell/cell.ts'
import { walkDict } from '../../cell/dict.ts'
import { find, pathOf } from '../../cell/hashmap.ts'
import { loadAccountBlock } from '../../tlb/block/account-block.ts'
import { type Block, loadBlockExtra } from '../../tlb/block/block.ts'
import { hashToBig, sameBytes, toHex } from '../../tlb/bytes.ts'
import { type BlockId, blockFullText, sameBlock } from '../../tlb/ids.ts'
import { loadTransaction, type Transaction } from '../../tlb/transaction/transaction.ts'
import type { LiteAnswer, LiteArgs, TransactionId, TransactionRef } from '../liteserver.ts'
import { must, ProofError, proving, provingSteps } from './error.ts'
import { checkHeader, checkRootHash } from './header.ts'
import { answerSteps, listedRoots, proofRoot } from './roots.ts'
import { augRootOf, readCurrency } from './skip-pruned.ts'

/* Checks transactions of a block from its AccountBlocks, and transactions of an account along the hash chain of prev_trans_hash. */

/** Maximum number of rows in an answer of listBlockTransactions. */
export const MAX_LISTED = 256
/** Maximum number of dictionary edges on the way to a page of rows. Each row has two paths at most, with 256 and 64 forks. */
const MAX_WALK = (MAX_LISTED + 1) * (256 + 64)

export interface ListedTransaction {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly cell: Cell
}

/**
 * Transactions of a block (complete or virtual root) by account, then lt, after a given transaction; backwards if `reverse`. At most `count` and at most
 * MAX_LISTED. Order and visited cells are those of finish_listBlockTransactions in ton's lite-server.
 */
export const listTransactions = (
  accountBlocks: Cell,
  page: { readonly count: number; readonly after?: TransactionRef | undefined; readonly reverse: boolean },
): { readonly rows: readonly ListedTransaction[]; readonly incomplete: boolean } => {
  const { after, reverse } = page
  const rows: ListedTransaction[] = []
  const limit = Math.min(page.count, MAX_LISTED)
  if (limit <= 0) return { rows, incomplete: true }
  const budget = { cells: MAX_WALK }
  const start = after && { key: hashToBig(after.account), inclusive: true }
  for (const [key, leaf] of walkDict(augRootOf(accountBlocks), 256, budget, start, reverse)) {
    readCurrency(leaf)
    const block = loadAccountBlock(leaf)
    must(hashToBig(block.account) === key, 'block transactions', 'an account block under another key')
    const from = start?.key === key ? { key: after!.lt, inclusive: false } : undefined
    for (const [lt, value] of walkDict(block.transactions, 64, budget, from, reverse)) {
      readCurrency(value)
      rows.push({ account: block.account, lt, cell: value.loadRef() })
      // As in ton's lite-server, a full page is marked incomplete even if no row follows.
      if (rows.length === limit) return { rows, incomplete: true }
    }
  }
  return { rows, incomplete: false }
}

const accountBlocksOf = (block: Block): Cell => loadBlockExtra(block.extra).accountBlocks

const provenList = (
  answer: Pick<LiteAnswer<'listBlockTransactions'>, 'id' | 'incomplete' | 'proof'>,
  args: LiteArgs<'listBlockTransactions'>,
): readonly ListedTransaction[] => {
  const what = 'block transactions'
  must(sameBlock(answer.id, args.id), what, () => `an answer for ${blockFullText(answer.id)} instead of ${blockFullText(args.id)}`)
  const block = checkRootHash(proofRoot(answer.proof, what), args.id)
  const { rows, incomplete } = listTransactions(accountBlocksOf(block), {
    count: args.count,
    after: args.after,
    reverse: args.reverse ?? false,
  })
  must(
    incomplete === answer.incomplete,
    what,
    () => `the answer says it is ${answer.incomplete ? 'in' : ''}complete, the block says otherwise`,
  )
  return rows
}

/** Checks a list made with `wantProof`: its rows must be exactly the block's rows. */
export const checkBlockTransactions = (
  answer: LiteAnswer<'listBlockTransactions'>,
  args: LiteArgs<'listBlockTransactions'>,
): readonly TransactionId[] =>
  proving('block transactions', () => {
    const rows = provenList(answer, args)
    must(rows.length === answer.ids.length, 'block transactions', () => `${answer.ids.length} rows, but the block has ${rows.length} here`)
    return rows.map(({ account, lt, cell }, i) => {
      const sent = answer.ids[i]!
      const same = sent.lt === lt && sameBytes(sent.account, account) && sameBytes(sent.hash, cell.hash(0))
      must(same, 'block transactions', () => `row ${i} is not the block's transaction ${lt} of ${toHex(account)}`)
      return { account, lt, hash: cell.hash(0) }
    })
  })

export const checkBlockTransactionsExt = (
  answer: LiteAnswer<'listBlockTransactionsExt'>,
  args: LiteArgs<'listBlockTransactionsExt'>,
): Generator<void, readonly Cell[]> => {
  const steps = function* (): Generator<void, readonly Cell[]> {
    const rows = provenList(answer, args)
    const sent = rows.length === 0 && answer.transactions.length === 0 ? [] : yield* listedRoots(answer.transactions)
    must(rows.length === sent.length, 'block transactions', () => `${sent.length} transactions, but the block has ${rows.length} here`)
    rows.forEach(({ cell, lt, account }, i) => {
      must(sameBytes(cell.hash(0), sent[i]!.hash()), 'block transactions', () => `row ${i} is not transaction ${lt} of ${toHex(account)}`)
    })
    return sent
  }
  return provingSteps('block transactions', steps())
}

export const transactionIn = (accountBlocks: Cell, account: Uint8Array, lt: bigint): Cell | undefined => {
  const leaf = find(augRootOf(accountBlocks), 256, account, false)
  if (leaf === undefined) return undefined
  readCurrency(leaf)
  const value = find(loadAccountBlock(leaf).transactions, 64, pathOf(lt, 64), false)
  if (value === undefined) return undefined
  readCurrency(value)
  return value.loadRef()
}

/** Checks an answer of getOneTransaction. Undefined means that the block provably has no such transaction. */
export const checkOneTransaction = (answer: LiteAnswer<'getOneTransaction'>, args: LiteArgs<'getOneTransaction'>) => {
  const steps = function* (): Generator<void, Cell | undefined> {
    must(sameBlock(answer.id, args.id), 'transaction', () => `an answer for ${blockFullText(answer.id)}`)
    const { block, info } = checkHeader(answer.proof, args.id)
    // If the lt is outside the block's range, a lite-server proves only the header.
    const inTime = args.lt > info.startLt && args.lt < info.endLt
    const found = inTime ? transactionIn(accountBlocksOf(block), args.account.hash, args.lt) : undefined
    if (found === undefined) {
      must(answer.transaction.length === 0, 'transaction', 'the block has none, but one was sent')
      return undefined
    }
    must(answer.transaction.length > 0, 'transaction', 'the block has one, but none was sent')
    const sent = yield* answerSteps(answer.transaction)
    must(sameBytes(found.hash(0), sent.hash()), 'transaction', 'not the one in the block')
    return sent
  }
  return provingSteps('transaction', steps())
}

export interface ChainedTransaction {
  readonly block: BlockId
  readonly transaction: Transaction
}

/**
 * Checks an answer of getTransactions. The first transaction must be the requested one. Each further transaction must be the predecessor (lt and hash) that
 * the transaction before it in the list names.
 * The block ids in the answer are not proven.
 */
export const checkTransactionChain = (
  answer: LiteAnswer<'getTransactions'>,
  args: LiteArgs<'getTransactions'>,
): Generator<void, readonly ChainedTransaction[]> => {
  const steps = function* (): Generator<void, readonly ChainedTransaction[]> {
    const roots = yield* listedRoots(answer.transactions)
    must(roots.length === answer.ids.length, 'transactions', () => `${roots.length} transactions with ${answer.ids.length} block ids`)
    must(
      roots.length > 0 && roots.length <= args.count,
      'transactions',
      () => `${roots.length} transactions where ${args.count} were asked for`,
    )
    let next = { lt: args.lt, hash: args.hash }
    return roots.map((root, i) => {
      if (next.lt === 0n) throw new ProofError('transactions', 'the answer goes on after the first transaction')
      must(sameBytes(root.hash(), next.hash), 'transactions', () => `hash ${root.hashHex()} instead of ${toHex(next.hash)}`)
      const transaction = loadTransaction(root)
      must(transaction.lt === next.lt, 'transactions', () => `lt ${transaction.lt} instead of ${next.lt}`)
      must(sameBytes(transaction.account, args.account.hash), 'transactions', 'a transaction is of another account')
      must(transaction.prevTransLt < transaction.lt, 'transactions', 'the previous one is not earlier')
      next = { lt: transaction.prevTransLt, hash: transaction.prevTransHash }
      const block = answer.ids[i]!
      must(block.workchain === args.account.workchain, 'transactions', 'a transaction is in a block of another workchain')
      return { block, transaction }
    })
  }
  return provingSteps('transactions', steps())
}
