import { type Budget, MAX_ACCOUNT_CELLS, MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import type { Builder } from '../../cell/builder.ts'
import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'

/*
 * tick_tock$_ tick:Bool tock:Bool = TickTock;
 * _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock)
 *   code:(Maybe ^Cell) data:(Maybe ^Cell) library:(Maybe ^Cell) = StateInit;
 * simple_lib$_ public:Bool root:^Cell = SimpleLib;      (library is HashmapE 256 SimpleLib in a message that is checked)
 */

export interface StateInit {
  /** fixed_prefix_length, formerly called split_depth. */
  readonly splitDepth?: number | undefined
  readonly special?: { readonly tick: boolean; readonly tock: boolean } | undefined
  readonly code?: Cell | undefined
  readonly data?: Cell | undefined
  /** Root of Hashmap 256 SimpleLib. */
  readonly library?: Cell | undefined
}

export interface SimpleLib {
  readonly public: boolean
  readonly root: Cell
}

export const loadStateInit = (s: Slice): StateInit => ({
  splitDepth: s.loadBit() ? s.loadUint(5) : undefined,
  special: s.loadBit() ? { tick: s.loadBit(), tock: s.loadBit() } : undefined,
  code: s.loadMaybeRef(),
  data: s.loadMaybeRef(),
  library: s.loadMaybeRef(),
})

/** Loads a StateInit that fills its cell. Throws CellError if the cell has less than a StateInit, or more. */
export const parseStateInit = (cell: Cell): StateInit => {
  const s = cell.slice()
  const init = loadStateInit(s)
  s.end()
  return init
}

export const storeStateInit = (b: Builder, init: StateInit): Builder => {
  if (init.splitDepth === undefined) b.storeBit(0)
  else b.storeBit(1).storeUint(init.splitDepth, 5)
  if (init.special === undefined) b.storeBit(0)
  else b.storeBit(1).storeBit(init.special.tick).storeBit(init.special.tock)
  return b.storeMaybeRef(init.code).storeMaybeRef(init.data).storeMaybeRef(init.library)
}

/** StateInit as a cell of its own. The hash of this cell is the account id of a deployment. */
export const stateInitCell = (init: StateInit): Cell => storeStateInit(beginCell(), init).end()

/**
 * Maximum number of edges of an account's libraries. A deployment has at most 1,024 edges on all paths, which a node checks. All other libraries were added by
 * actions, one key each, so their edges are not shared.
 */
export const MAX_LIBRARY_CELLS = MAX_CHECKED_CELLS + 2 * MAX_ACCOUNT_CELLS

/**
 * The libraries of an account, ascending by library hash (unsigned 256 bits). Throws CellError `budget` if the budget is used up. The result is a list, because
 * a Map hashes only the lowest 64 bits of a bigint. An attacker can make these bits equal in all keys, which makes a Map slow.
 */
export const loadLibraries = (root: Cell | undefined, budget: Budget): (readonly [bigint, SimpleLib])[] =>
  [...dictEntries(root, 256, budget)].map(([hash, value]) => [hash, { public: value.loadBit(), root: value.loadRef() }] as const)
