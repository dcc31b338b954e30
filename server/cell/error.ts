import { Fault } from '../base/fault.ts'

/**
 * What can go wrong with cells. `underflow`: reading past the end of a slice; `overflow`: more than 1023 bits, 4 references or depth 1024;
 * `range`: a value that does not fit its field; `boc`: malformed serialized bytes; `proof`: a Merkle proof or update that does not hold;
 * `dict`: a malformed dictionary; `pruned`: the data was cut out of a proof.
 */
export type CellErrorKind = 'underflow' | 'overflow' | 'boc' | 'proof' | 'dict' | 'range' | 'pruned'

/** The one error type that leaves server/cell. */
export class CellError extends Fault {
  readonly answeredAs = 'CHAIN'
  override readonly isLogged = true
  readonly kind: CellErrorKind
  constructor(kind: CellErrorKind, message: string) {
    super(message)
    this.name = 'CellError'
    this.kind = kind
  }
}
