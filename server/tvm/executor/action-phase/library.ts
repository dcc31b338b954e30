import { beginCell } from '../../../cell/builder.ts'
import { type Cell, CellError } from '../../../cell/cell.ts'
import { dictDelete, dictGet, dictSet } from '../../../cell/dict.ts'
import type { Slice } from '../../../cell/slice.ts'
import { bigOfBytes } from '../../../tlb/bytes.ts'
import { CellCount } from '../cell-count.ts'
import { MAX_MERKLE_DEPTH } from '../import-external.ts'
import type { TransactionRun } from '../transaction-run.ts'
import { type ActionResult, type ActionState, BOUNCE, RESULT } from './state.ts'

const REMOVE = 0
const PRIVATE = 1
const PUBLIC = 2

const add = (run: TransactionRun, key: bigint, given: Cell | undefined, isPublic: boolean): ActionResult => {
  let library = given
  const present = dictGet(run.library, 256, key)
  if (present !== undefined) {
    const wasPublic = present.loadBit()
    const ref = present.loadRef()
    if (bigOfBytes(ref.hash()) === key) {
      library = ref
      if (wasPublic === isPublic) return RESULT.ok
    }
  }
  if (library === undefined) return RESULT.libraryNotFound
  const size = new CellCount(run.config.limits.maxLibraryCells, run.interrupt).add(library)
  if (size.cells > run.config.limits.maxLibraryCells || size.merkleDepth > MAX_MERKLE_DEPTH) return RESULT.libraryTooLarge
  run.library = dictSet(run.library, 256, key, beginCell().storeBit(isPublic).storeRef(library))
  return RESULT.ok
}

/**
 * action_change_library#26fa1dd4 mode:(## 7) libref:LibRef; libref_hash$0 lib_hash:bits256; libref_ref$1 library:^Cell
 * (`try_action_change_library`). The slice begins after the tag. The change remains even if a later action fails.
 */
export const changeLibrary = (run: TransactionRun, state: ActionState, s: Slice): ActionResult => {
  const { rules } = run.config
  let mode = s.loadUint(7)
  if (mode & BOUNCE) {
    if (!rules.bounceOnFailMode) return RESULT.invalidAction
    state.bounceOnFail = true
    mode &= ~BOUNCE
  }
  if (mode > PUBLIC) return RESULT.invalidAction
  if (rules.noPrivateLibraries && (mode === PRIVATE || !run.account.special)) return RESULT.libraryForbidden
  const library = s.loadBit() ? s.loadRef() : undefined
  const key = bigOfBytes(library?.hash() ?? s.loadBytes(32))
  let result: ActionResult = RESULT.ok
  try {
    if (mode === REMOVE) run.library = dictDelete(run.library, 256, key)
    else result = add(run, key, library, mode === PUBLIC)
  } catch (error) {
    if (error instanceof CellError) return RESULT.libraryError
    throw error
  }
  if (result === RESULT.ok) state.specActions++
  return result
}
