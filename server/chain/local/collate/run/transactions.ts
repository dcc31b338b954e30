import { TonError } from '../../../../../shared/errors.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { dictGet } from '../../../../cell/dict.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import type { TransactionRequest } from '../../../../tvm/executor/execute.ts'
import type { TransactionKind } from '../../../../tvm/executor/transaction-run.ts'
import { deadlineAfter, type MadeTransaction, type MakeTransaction, type TransactionOutcome } from '../../../../tvm/make-transaction.ts'
import { laterLt } from '../../hash-keys.ts'
import { type BlockAccount, nameOf } from '../accounts/block-accounts.ts'
import { creditOnly } from './credit-only.ts'

export type Environment = Pick<TransactionRequest, 'config' | 'now' | 'blockSeed' | 'blockLt' | 'libraries' | 'prevBlocks'> & {
  /** The libraries of the masterchain state. In a fork some of them are absent cells, which `libraries` does not contain. */
  readonly allLibraries: Cell | undefined
}

/** Time limit of one transaction, ms, for a `make` without its own limit. It is several times what a million gas takes. */
const DEADLINE_MS = 5000

/** Throws AbsentCellError if a library of the state was not fetched. The dictionary's leaf may be present without the library cell. */
const needLibrary = (root: Cell | undefined, hash: string): void => {
  dictGet(root, 256, BigInt(`0x${hash}`))
    ?.preloadRef()
    .sliceExotic()
}

/** Runs the transactions of a block in order, each on the account after the previous transaction. */
export const createTransactions = (p: {
  readonly make: MakeTransaction
  /** Called once, before the first transaction. */
  readonly environment: () => Environment
  readonly startLt: bigint
  /** Called before each transaction, to yield to other work of the thread. */
  readonly pause: () => Promise<void> | undefined
  readonly signal: AbortSignal
}) => {
  let environment: Environment | undefined

  const run = async (
    blockAccount: BlockAccount,
    kind: TransactionKind,
    lt: bigint,
    message?: Cell,
    isTrial?: true,
  ): Promise<TransactionOutcome> => {
    environment ??= p.environment()
    const { allLibraries, ...common } = environment
    await p.pause()
    // A deleted account does not store the lt of its last transaction, so the lt comes from its transactions in this block.
    const last = blockAccount.transactions.at(-1)
    const request = {
      ...common,
      kind,
      account: { workchain: blockAccount.workchain, hash: blockAccount.hash },
      shardAccount: blockAccount.now,
      message,
      isTrial,
      lt: last === undefined ? lt : laterLt(lt, last.endLt),
      interrupt: deadlineAfter(DEADLINE_MS),
    }
    const outcome = await p.make(request, p.signal)
    if (outcome.missingLibrary !== undefined) needLibrary(allLibraries, outcome.missingLibrary)
    return outcome
  }
  /** The transaction's lt is above `afterLt` and above the block's start. */
  const ofMessage = (blockAccount: BlockAccount, message: Cell, afterLt: bigint): Promise<TransactionOutcome> =>
    run(blockAccount, 'message', laterLt(afterLt, p.startLt) + 1n, message)

  return {
    tickTock: (blockAccount: BlockAccount, kind: 'tick' | 'tock', lt: bigint): Promise<TransactionOutcome> => run(blockAccount, kind, lt),
    ofMessage,
    /** Only whether a message would be accepted, if the account after it can be stored in time. */
    tryMessage: (blockAccount: BlockAccount, message: Cell): Promise<TransactionOutcome> =>
      run(blockAccount, 'message', p.startLt + 1n, message, true),
    /** Makes the transaction of a message without a sender. Throws TonError INVALID_PARAMS if no transaction is possible. */
    injected: async (blockAccount: BlockAccount, message: Cell, afterLt: bigint): Promise<MadeTransaction> => {
      const outcome = await ofMessage(blockAccount, message, afterLt)
      if (outcome.ok) return outcome
      const text = `the message to ${nameOf(blockAccount)} cannot be processed: ${outcome.error}`
      throw outcome.interrupted ? new Error(text) : new TonError('INVALID_PARAMS', text)
    },
    /** If no transaction is possible, only credits the message's value. */
    deliver: async (blockAccount: BlockAccount, message: Cell, info: InternalMessageInfo, afterLt: bigint): Promise<MadeTransaction> => {
      const outcome = await ofMessage(blockAccount, message, afterLt)
      if (outcome.ok) return outcome
      const least = laterLt(laterLt(afterLt, p.startLt) + 1n, blockAccount.transactions.at(-1)?.endLt ?? 0n)
      return creditOnly(blockAccount, message, info, environment!.now, least)
    },
  }
}
