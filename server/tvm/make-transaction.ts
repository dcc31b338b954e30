import { CellError } from '../cell/cell.ts'
import { ExecutorError } from './executor/error.ts'
import { type Executed, executeTransaction, type NotAccepted, type TransactionRequest } from './executor/execute.ts'
import { VmInterrupted } from './machine/exceptions.ts'
import { TvmError } from './tvm.ts'

/* Makes transactions in the calling thread, from cells to cells. A failure that is caused by the message is returned, not thrown. */

export type MadeTransaction = { readonly ok: true } & Pick<
  Executed,
  'transaction' | 'shardAccount' | 'lt' | 'endLt' | 'outMsgs' | 'gasUsed' | 'actions'
> &
  Partial<Pick<Executed, 'missingLibrary' | 'log' | 'debug'>>

/**
 * No transaction was made. Either the account did not accept an external message (`exitCode` is the machine's), or the input was invalid or the run failed
 * (no `exitCode`).
 */
export interface RefusedTransaction {
  readonly ok: false
  readonly error: string
  readonly exitCode?: number
  /** Hash (hex) of a library that the account needed but the request did not have. With this library the account may accept the message. */
  readonly missingLibrary?: string
  /** A line `execute NAME` for each instruction, in the format of TON's emulator. */
  readonly log?: string
  readonly debug?: readonly string[]
  /** True if the run was dropped because `interrupt` returned true. */
  readonly interrupted?: boolean
}
export type TransactionOutcome = MadeTransaction | RefusedTransaction

/** Makes one transaction. Throws or rejects only for errors that are not caused by the message, such as an unreadable configuration. */
export type MakeTransaction = (request: TransactionRequest, signal: AbortSignal) => TransactionOutcome | Promise<TransactionOutcome>

const logOf = ({ log, exitCode }: NotAccepted): { readonly log?: string } => {
  if (log === undefined) return {}
  const lines = log.steps.map(({ instruction }) => `execute ${instruction}\n`).join('')
  return { log: `${lines}default exception handler, terminating vm with exit code ${exitCode}\n` }
}

const failed = (error: unknown): RefusedTransaction => {
  if (error instanceof VmInterrupted) return { ok: false, error: 'the transaction took too long', interrupted: true }
  if (error instanceof ExecutorError) {
    if (error.kind === 'config') throw new TvmError('rejected', error.message, { cause: error })
    const early = error.kind === 'message' ? 'the message is rejected before smart-contract execution: ' : ''
    return { ok: false, error: `${early}${error.message}` }
  }
  if (error instanceof CellError) return { ok: false, error: error.message }
  // An error of the machine must not stop the chain, so only this transaction fails.
  return { ok: false, error: `the TVM failed: ${String(error)}` }
}

/** Makes one transaction. Throws only TvmError `rejected`, if the configuration cannot be read. */
export const makeTransaction = (request: TransactionRequest): TransactionOutcome => {
  try {
    const done = executeTransaction(request)
    if (done.accepted) return { ok: true, ...done }
    // Only refused messages need a log, so the run is repeated with one.
    const logged = done.skipped === undefined ? executeTransaction({ ...request, log: true }) : done
    const log = logged.accepted ? {} : logOf(logged)
    const { exitCode, missingLibrary, debug } = done
    const printed = debug === undefined ? {} : { debug }
    const missing = missingLibrary === undefined ? {} : { missingLibrary }
    return { ok: false, error: 'External message not accepted by smart contract', exitCode, ...missing, ...printed, ...log }
  } catch (error) {
    return failed(error)
  }
}

/** Maximum duration of one transaction in a thread that serves requests, ms. */
const BRIEF_MS = 5

/** Makes one transaction. Returns undefined if it takes longer than a few milliseconds, or if it needs a single operation that takes so long (such as BLS). */
export const makeBriefTransaction = (request: TransactionRequest): TransactionOutcome | undefined => {
  const end = performance.now() + BRIEF_MS
  const made = makeTransaction({ ...request, interrupt: (_slow, long = false) => long || performance.now() > end })
  return made.ok || made.interrupted !== true ? made : undefined
}

export const deadlineAfter = (ms: number): (() => boolean) => {
  const end = performance.now() + ms
  return () => performance.now() > end
}
