import type { Cell } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'
import { bigOfBytes } from '../../tlb/bytes.ts'
import { MAX_LIBRARY_CELLS } from '../../tlb/state/state-init.ts'
import { MAX_MERKLE_DEPTH } from './import-external.ts'
import { measureState } from './storage-stat.ts'
import { mayMeasure, type TransactionRun } from './transaction-run.ts'

const same = (a: Cell | undefined, b: Cell | undefined): boolean => (a === undefined || b === undefined ? a === b : a.equals(b))

/** Number of an account's public libraries that are stored under their own hash (`get_public_libraries_count`). */
const publicLibraries = (libraries: Cell | undefined): number => {
  let count = 0
  for (const [key, value] of dictEntries(libraries, 256, { cells: MAX_LIBRARY_CELLS })) {
    if (value.loadBit() && value.remainingRefs > 0 && bigOfBytes(value.preloadRef().hash()) === key) count++
  }
  return count
}

/**
 * Returns whether the current code, data and libraries are within the limits of parameter 43 (`check_state_limits`). An unchanged state is always within the
 * limits. `libraries` is the maximum number of public libraries of a masterchain account.
 */
export const withinStateLimits = (run: TransactionRun, libraries = run.config.limits.maxAccPublicLibraries): boolean => {
  const { limits, rules } = run.config
  const { init } = run.account
  if (same(init.code, run.code) && same(init.data, run.data) && same(init.library, run.library)) return true
  mayMeasure(run, run.account.storage.usedCells)
  const stat = measureState(run, [run.code, run.data, run.library])
  if (stat.merkleDepth > MAX_MERKLE_DEPTH) return false
  if (stat.cells > (run.masterchain && rules.mcStateLimit ? limits.maxMcAccStateCells : limits.maxAccStateCells)) return false
  return !run.masterchain || same(init.library, run.library) || publicLibraries(run.library) <= libraries
}
