import type { Remade } from '../base/threads/failure.ts'
import { CellError, type CellErrorKind } from '../cell/error.ts'
import { TvmError } from '../tvm/tvm.ts'
import { LiteServerError } from './liteserver.ts'
import { ProofError } from './proofs/error.ts'

/** Restores errors of server/chain, of cells and of the TVM from a message of another thread. */
export const CHAIN_ERRORS: Remade = {
  LiteServerError: ({ message, data }) => new LiteServerError(Number(data['code']), message),
  CellError: ({ message, data }) => new CellError(data['kind'] as CellErrorKind, message),
  RangeError: ({ message }) => new RangeError(message),
  TvmError: ({ message, data }) => new TvmError(data['kind'] as TvmError['kind'], message),
  // The message is `<what>: <text>`. The constructor adds `<what>: `, so it is removed here.
  ProofError: ({ message, data }) => new ProofError(String(data['what']), message.slice(String(data['what']).length + 2)),
}
