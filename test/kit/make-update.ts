import { endSteps } from '../../server/base/yield.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { updateSteps } from '../../server/cell/merkle.ts'

/** Makes a Merkle update without pauses. */
export const makeUpdate = (oldRoot: Cell, newRoot: Cell): Cell => endSteps(updateSteps(oldRoot, newRoot))
