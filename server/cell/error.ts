import { Fault } from '../base/fault.ts'

/**
 * Kinds of cell errors. `underflow`: a read past the end of a slice; `overflow`: more than 1023 bits, 4 references or depth 1024;
 * `range`: a value that does not fit its field; `boc`: malformed serialized bytes; `proof`: an invalid Merkle proof or update;
 * `dict`: a malformed dictionary; `pruned`: the data is not part of the proof; `budget`: a tree with more paths than its reader walks.
 */
export type CellErrorKind = 'underflow' | 'overflow' | 'boc' | 'proof' | 'dict' | 'range' | 'pruned' | 'budget'

/** Number of `attempt`s that have not ended. */
let attempts = 0

/** The error type of server/cell. Only a read of an absent cell throws another type (AbsentCellError). */
export class CellError extends Fault {
  readonly answeredAs = 'CHAIN'
  override readonly isLogged = true
  readonly kind: CellErrorKind
  constructor(kind: CellErrorKind, message: string) {
    const limit = Error.stackTraceLimit
    if (attempts > 0) Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = limit
    this.name = 'CellError'
    this.kind = kind
  }
}

/**
 * Returns the result of `read`; undefined if it throws CellError. For cells from outside, which may be malformed. The error has no stack trace: nobody reads
 * it, and it costs many times as much as the read, so that malformed bodies would cost more than good ones.
 */
export const attempt = <T>(read: () => T): T | undefined => {
  attempts++
  try {
    return read()
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  } finally {
    attempts--
  }
}
