import { CellError } from '../cell/cell.ts'
import { ExecutorError } from './executor/error.ts'
import { type Executed, type ExecuteRequest, executeTransaction, type NotAccepted } from './executor/execute.ts'
import { VmInterrupted } from './machine/exceptions.ts'

/* Transactions on the project's own machine, for whoever has cells and wants cells. Everything that can go wrong with one message is an answer here. */

/** A transaction that was made. */
export type MadeTransaction = { readonly ok: true } & Pick<
  Executed,
  'transaction' | 'shardAccount' | 'lt' | 'endLt' | 'outMsgs' | 'gasUsed' | 'actions'
> &
  Partial<Pick<Executed, 'missingLibrary' | 'log'>>

/** An external message that the account did not accept (exitCode: of the VM), or what no transaction could be made of (no exitCode). */
export interface RefusedTransaction {
  readonly ok: false
  readonly error: string
  readonly exitCode?: number
  /** A line `execute NAME` for each instruction, as the emulator writes it. */
  readonly log?: string
  /** The run was dropped because it was told to (`interrupt`). */
  readonly interrupted?: boolean
}
export type TransactionOutcome = MadeTransaction | RefusedTransaction

/** Makes one transaction. Throws (or rejects) only for what is not about the message, such as a configuration that cannot be read. */
export type MakeTransaction = (request: ExecuteRequest, signal: AbortSignal) => TransactionOutcome | Promise<TransactionOutcome>

/** The log of a refused message as the emulator writes it. */
const logOf = ({ log, exitCode }: NotAccepted): { readonly log?: string } => {
  if (log === undefined) return {}
  const lines = log.steps.map(({ instruction }) => `execute ${instruction}\n`).join('')
  return { log: `${lines}default exception handler, terminating vm with exit code ${exitCode}\n` }
}

const failed = (error: unknown): RefusedTransaction => {
  if (error instanceof VmInterrupted) return { ok: false, error: 'the transaction took too long', interrupted: true }
  if (error instanceof ExecutorError) {
    if (error.kind === 'config') throw error
    const early = error.kind === 'message' ? 'the message is rejected before smart-contract execution: ' : ''
    return { ok: false, error: `${early}${error.message}` }
  }
  if (error instanceof CellError) return { ok: false, error: error.message }
  // A fault of the machine: it must not stop a chain, and nobody else's transaction fails with it.
  return { ok: false, error: `the TVM failed: ${String(error)}` }
}

/** Makes one transaction. Throws ExecutorError `config` where the configuration cannot be read, and nothing else. */
export const makeTransaction = (request: ExecuteRequest): TransactionOutcome => {
  try {
    const done = executeTransaction(request)
    if (done.accepted) return { ok: true, ...done }
    // The log is made only where it is told: a refused message is run again for it.
    const logged = done.skipped === undefined ? executeTransaction({ ...request, log: true }) : done
    const log = logged.accepted ? {} : logOf(logged)
    return { ok: false, error: 'External message not accepted by smart contract', exitCode: done.exitCode, ...log }
  } catch (error) {
    return failed(error)
  }
}

/** What ends a run that takes longer than `ms` milliseconds of the wall clock, counted from now. */
export const deadlineAfter = (ms: number): (() => boolean) => {
  const end = performance.now() + ms
  return () => performance.now() > end
}
