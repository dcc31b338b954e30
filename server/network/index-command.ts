import type { Log } from '../base/log.ts'
import type { Tvm } from '../tvm/tvm.ts'

/** Inputs of a command that works on an index without a service (`index --to`, `verify`). */
export interface IndexCommand {
  /** A line on standard output. */
  readonly print: (text: string) => void
  /** A line on standard error. */
  readonly printError: (text: string) => void
  /** Draws progress on a terminal; undefined without one. */
  readonly draw: ((text: string) => void) | undefined
  readonly log: Log
  readonly signal: AbortSignal
  /** For tests: the TVM to use instead of a new one. The command does not close it. */
  readonly tvm?: Tvm | undefined
}
