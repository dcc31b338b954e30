import { runSteps } from '../base/yield.ts'
import { bocSteps } from '../cell/boc.ts'
import { type Cell, untracked } from '../cell/cell.ts'
import { recordUsage } from '../cell/merkle.ts'
import { loadBlock, loadBlockExtra } from '../tlb/block/block.ts'
import { MASTERCHAIN, sameBlock } from '../tlb/ids.ts'
import type { Blocks } from './blocks.ts'
import type { Chain, ListProof } from './chain-port.ts'
import type { CheckedQuery } from './checked-query.ts'
import { ProofError } from './proofs/error.ts'
import { mustBeWhole } from './proofs/roots.ts'
import { checkOneTransaction, type ListedTransaction, listTransactions, MAX_LISTED } from './proofs/transactions.ts'

/* Proofs that are forwarded to clients, which check them again. Each proof is checked here first. */

/** Lists all transactions of a block, with a Merkle proof like that of listBlockTransactions. Unlike that query, has no limit of rows. */
function* listSteps(root: Cell): Generator<void, ListProof> {
  const usage = recordUsage(root)
  const block = loadBlock(usage.root)
  // Read because a lite-server's proof includes this cell.
  void block.info.refCount
  const { accountBlocks } = loadBlockExtra(block.extra)
  const transactions: ListedTransaction[] = []
  for (;;) {
    const { rows, incomplete } = listTransactions(accountBlocks, { count: MAX_LISTED, after: transactions.at(-1), reverse: false })
    for (const row of rows) transactions.push({ ...row, cell: untracked(row.cell) })
    if (!incomplete) break
    yield
  }
  return { transactions, proof: yield* bocSteps([usage.proof()], { crc32c: false }) }
}

export const createListProofs = (
  ask: CheckedQuery,
  { account, block }: Pick<Blocks, 'account' | 'block'>,
): Pick<Chain, 'accountProof' | 'transactionProof' | 'transactionListProof'> => ({
  accountProof: (id, at, signal) =>
    account(at, id, signal, (proven, { shardProof, proof, state }) => {
      if (proven.account !== undefined) mustBeWhole(proven.account, 'account state')
      const { shardBlock, lastTransLt, lastTransHash } = proven
      const isInShard = id.workchain === MASTERCHAIN || !sameBlock(shardBlock, at)
      return { shardBlock: isInShard ? shardBlock : undefined, shardProof, proof, state, lastTransLt, lastTransHash }
    }),

  transactionProof(id, account, lt, signal) {
    const args = { id, account, lt }
    return ask('getOneTransaction', args, signal, async (answer) => {
      const root = await runSteps(checkOneTransaction(answer, args), signal)
      if (root === undefined) throw new ProofError('transaction', 'the block has no such transaction')
      return { root: mustBeWhole(root, 'transaction'), proof: answer.proof }
    })
  },

  async transactionListProof(id, signal) {
    return await runSteps(listSteps((await block(id, signal)).root), signal)
  },
})
