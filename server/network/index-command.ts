import type { Log } from '../base/log.ts'
import type { Tvm } from '../tvm/tvm.ts'

/** What a command that works on an index by itself, without a service, is given. */
export interface IndexCommand {
  /** A line on standard output. */
  readonly print: (text: string) => void
  /** A line on standard error. */
  readonly complain: (text: string) => void
  /** Where progress is drawn: a terminal, or nothing. */
  readonly draw: ((text: string) => void) | undefined
  readonly log: Log
  readonly signal: AbortSignal
  /** Another TVM than one of its own, for tests; it is not closed. */
  readonly tvm?: Tvm | undefined
}
