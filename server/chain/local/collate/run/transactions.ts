import type { Cell } from '../../../../cell/cell.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import type { ExecuteRequest } from '../../../../tvm/executor/execute.ts'
import type { TransactionKind } from '../../../../tvm/executor/run.ts'
import { deadlineAfter, type MadeTransaction, type MakeTransaction, type TransactionOutcome } from '../../../../tvm/make-transaction.ts'
import { laterLt } from '../../bytes.ts'
import { type Lane, nameOf } from '../accounts/lanes.ts'
import { creditOnly } from './unrun.ts'

/** What every transaction of a block has in common. */
export type Environment = Pick<ExecuteRequest, 'config' | 'now' | 'blockSeed' | 'blockLt' | 'libraries' | 'prevBlocks'>

/** Wall-clock milliseconds of one transaction, where `make` has no bound of its own: several times what a million gas takes. */
const DEADLINE_MS = 5000

/** Runs transactions of a block on the TVM, one after another, each on the account as the last one left it. */
export const createTransactions = (p: {
  readonly make: MakeTransaction
  /** Asked for once, with the first transaction. */
  readonly environment: () => Environment
  readonly startLt: bigint
  /** Called before each transaction: lets other work of the thread go on. */
  readonly pause: () => Promise<void> | undefined
  readonly signal: AbortSignal
}) => {
  let environment: Environment | undefined

  /** One transaction of `lane`, at `lt` or later. */
  const run = async (lane: Lane, kind: TransactionKind, lt: bigint, message?: Cell): Promise<TransactionOutcome> => {
    environment ??= p.environment()
    await p.pause()
    // An account that is gone again tells nothing of the transactions it had in this block.
    const last = lane.transactions.at(-1)
    const request = {
      ...environment,
      kind,
      account: { workchain: lane.workchain, hash: lane.hash },
      shardAccount: lane.now,
      message,
      lt: last === undefined ? lt : laterLt(lt, last.endLt),
      interrupt: deadlineAfter(DEADLINE_MS),
    }
    return p.make(request, p.signal)
  }
  /** The transaction of a message that may not stand before `afterLt`. */
  const ofMessage = (lane: Lane, message: Cell, afterLt: bigint): Promise<TransactionOutcome> =>
    run(lane, 'message', laterLt(afterLt, p.startLt) + 1n, message)

  return {
    tickTock: (lane: Lane, kind: 'tick' | 'tock', lt: bigint): Promise<TransactionOutcome> => run(lane, kind, lt),
    ofMessage,
    /** Delivers a message that nobody sent. Throws where no transaction comes of it. */
    injected: async (lane: Lane, message: Cell, afterLt: bigint): Promise<MadeTransaction> => {
      const outcome = await ofMessage(lane, message, afterLt)
      if (!outcome.ok) throw new Error(`an injected message to ${nameOf(lane)} could not be processed: ${outcome.error}`)
      return outcome
    },
    /** Delivers an internal message: by the TVM, or by crediting its value where no transaction comes of it. */
    deliver: async (lane: Lane, message: Cell, info: InternalMessageInfo, afterLt: bigint): Promise<MadeTransaction> => {
      const outcome = await ofMessage(lane, message, afterLt)
      if (outcome.ok) return outcome
      const least = laterLt(laterLt(afterLt, p.startLt) + 1n, lane.transactions.at(-1)?.endLt ?? 0n)
      return creditOnly(lane, message, info, environment!.now, least)
    },
  }
}
export type Transactions = ReturnType<typeof createTransactions>
