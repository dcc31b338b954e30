import type { Remade } from '../../base/threads/failure.ts'
import { CHAIN_ERRORS } from '../../chain/remade-errors.ts'
import { CheckpointMovedError } from '../follow/checkpoint.ts'
import { IndexRefusal } from '../follow/session.ts'

export const INDEX_ERRORS: Remade = {
  ...CHAIN_ERRORS,
  CheckpointMovedError: () => new CheckpointMovedError(),
  IndexRefusal: ({ message }) => new IndexRefusal(message),
}
