import { createPauses, yieldToEventLoop } from '../../../base/yield.ts'
import { MAX_BAG_CELLS, uniqueCells } from '../../../cell/budget.ts'
import { type Cell, untracked } from '../../../cell/cell.ts'
import { loadBlock, loadBlockExtra } from '../../../tlb/block/block.ts'
import { accountPrefix, shardHasAccount, shardOfPrefix } from '../../../tlb/block/shard-ident.ts'
import { sameBytes } from '../../../tlb/bytes.ts'
import type { AccountId, BlockId } from '../../../tlb/ids.ts'
import { loadTransaction } from '../../../tlb/transaction/transaction.ts'
import { type LiteArgs, LiteServerError } from '../../liteserver.ts'
import { listTransactions, transactionIn } from '../../proofs/transactions.ts'
import { type BlockStore, LARGE_BLOCK, type StoredBlock } from '../model.ts'
import { type Answers, type AnswersDeps, blockOf, isValidFull, notFound, refuse } from './find-or-refuse.ts'
import { boc, bocInTurns, NO_BYTES, prove } from './prove.ts'

/** Maximum number of transactions in one getTransactions answer (max_transaction_count). */
const MAX_TRANSACTIONS = 16

const accountBlocksOf = (root: Cell): Cell => loadBlockExtra(loadBlock(root).extra).accountBlocks

const list = async (store: BlockStore, args: LiteArgs<'listBlockTransactions'>, signal: AbortSignal) => {
  const { root, boc: whole } = await blockOf(store, args.id)
  if (whole.length > LARGE_BLOCK) await yieldToEventLoop()
  signal.throwIfAborted()
  const page = { count: args.count, after: args.after, reverse: args.reverse ?? false }
  if (!args.wantProof) return { ...listTransactions(accountBlocksOf(root), page), proof: NO_BYTES }
  const { proof, value } = prove(root, (virtual) => {
    // Read because clients use the block info in the proof to check the block.
    const block = loadBlock(virtual)
    void block.info.refCount
    return listTransactions(accountBlocksOf(virtual), page)
  })
  return { ...value, rows: value.rows.map((row) => ({ ...row, cell: untracked(row.cell) })), proof: await bocInTurns(proof, signal) }
}

/**
 * Number of cells after which an answer of getTransactions ends before `count`. One transaction can have more than 8,192 cells. TON's lite-server has no
 * such limit. The caller continues with another query after the last transaction.
 */
const MANY_CELLS = 1 << 14

const countCells = (root: Cell): number => {
  let count = 0
  for (const _ of uniqueCells([root], { cells: MAX_BAG_CELLS })) count++
  return count
}

/** Throws LiteServerError if no block's lt range in the account's shard includes this lt. */
const blockByLt = async (store: BlockStore, account: AccountId, lt: bigint): Promise<StoredBlock> => {
  const shard = shardOfPrefix(accountPrefix(account.hash), 60)
  const id = await store.idByLt(account.workchain, lt, shard)
  const block = id === undefined || id.seqno === 0 ? undefined : await store.block(id)
  if (block === undefined) throw notFound(store, { workchain: account.workchain, shard }, 'lt', lt)
  return block
}

/** Follows prev_trans_lt back from a transaction, like continue_getTransactions of ton's lite-server. */
const walkBack = async (
  store: BlockStore,
  { account, lt, hash, count }: LiteArgs<'getTransactions'>,
  signal: AbortSignal,
): Promise<{ readonly ids: BlockId[]; readonly roots: Cell[] }> => {
  const ids: BlockId[] = []
  const roots: Cell[] = []
  let next = { lt, hash }
  let block: StoredBlock | undefined
  let cells = 0
  const pause = createPauses()
  while (roots.length < Math.min(count, MAX_TRANSACTIONS) && cells < MANY_CELLS && next.lt > 0n) {
    signal.throwIfAborted()
    let root = block && transactionIn(accountBlocksOf(block.root), account.hash, next.lt)
    if (root === undefined) {
      try {
        block = await blockByLt(store, account, next.lt)
      } catch (error) {
        if (roots.length > 0 || !(error instanceof LiteServerError)) break
        throw refuse(`cannot compute block with specified transaction: ${error.message}`)
      }
      root = transactionIn(accountBlocksOf(block.root), account.hash, next.lt)
    }
    if (root === undefined || block === undefined) {
      if (roots.length > 0) break
      throw refuse('cannot locate transaction in block with specified logical time')
    }
    if (!sameBytes(root.hash(), next.hash)) throw refuse('transaction hash mismatch')
    const { prevTransLt, prevTransHash } = loadTransaction(root)
    if (prevTransLt >= next.lt) throw refuse('previous transaction time is not less than the current one')
    ids.push(block.id)
    roots.push(root)
    cells += countCells(root)
    await pause()
    next = { lt: prevTransLt, hash: prevTransHash }
  }
  // Concurrent calls may have waited for the same block and would all continue in this event-loop turn.
  if (cells > MANY_CELLS / 8) await yieldToEventLoop()
  return { ids, roots }
}

export const transactionAnswers = ({
  store,
}: AnswersDeps): Answers<'getOneTransaction' | 'getTransactions' | 'listBlockTransactions' | 'listBlockTransactionsExt'> => ({
  async getOneTransaction({ id, account, lt }, signal) {
    if (!isValidFull(id)) throw refuse('block id in getOneTransaction() is invalid')
    if (account.workchain !== id.workchain || !shardHasAccount(id.shard, account.hash)) {
      throw refuse('requested account id is not contained in the shard of the specified block')
    }
    const { root } = await blockOf(store, id)
    const { proof, value } = prove(root, (virtual) => {
      void loadBlock(virtual).info.refCount
      const found = transactionIn(accountBlocksOf(virtual), account.hash, lt)
      return found && untracked(found)
    })
    return { id, proof: boc(proof), transaction: value === undefined ? NO_BYTES : await bocInTurns(value, signal) }
  },

  async getTransactions(args, signal) {
    const { ids, roots } = await walkBack(store, args, signal)
    return { ids, transactions: roots.length === 0 ? NO_BYTES : await bocInTurns(roots, signal) }
  },

  async listBlockTransactions(args, signal) {
    const { rows, incomplete, proof } = await list(store, args, signal)
    const ids = rows.map(({ account, lt, cell }) => ({ account, lt, hash: cell.hash() }))
    return { id: args.id, reqCount: args.count, incomplete, ids, proof }
  },

  async listBlockTransactionsExt(args, signal) {
    const { rows, incomplete, proof } = await list(store, args, signal)
    const transactions =
      rows.length === 0
        ? NO_BYTES
        : await bocInTurns(
            rows.map(({ cell }) => cell),
            signal,
          )
    signal.throwIfAborted()
    return { id: args.id, reqCount: args.count, incomplete, transactions, proof }
  },
})
