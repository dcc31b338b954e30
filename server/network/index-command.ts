import type { Log } from '../base/log.ts'
import type { Tvm } from '../tvm/tvm.ts'

/** Inputs of a command that works on an index without a running service (`index --to`, `verify`). */
export interface IndexCommand {
  readonly print: (text: string) => void
  /** Undefined if the output is not a terminal. */
  readonly draw: ((text: string) => void) | undefined
  readonly log: Log
  readonly signal: AbortSignal
  /** The TVM that a test passes in. The command does not close it. */
  readonly tvm?: Tvm | undefined
}
