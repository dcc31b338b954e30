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
  /** fixed_prefix_length, called split_depth before. */
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

export const storeStateInit = (b: Builder, init: StateInit): Builder => {
  if (init.splitDepth === undefined) b.storeBit(0)
  else b.storeBit(1).storeUint(init.splitDepth, 5)
  if (init.special === undefined) b.storeBit(0)
  else b.storeBit(1).storeBit(init.special.tick).storeBit(init.special.tock)
  return b.storeMaybeRef(init.code).storeMaybeRef(init.data).storeMaybeRef(init.library)
}

/** StateInit as a cell of its own: its hash is the account id of a deployment. */
export const stateInitCell = (init: StateInit): Cell => storeStateInit(beginCell(), init).end()

/**
 * Largest number of edges of an account's libraries. A deployment has 1,024 on all paths, which a node checks. The rest came by actions, one key each, so their
 * cells are not shared.
 */
export const MAX_LIBRARY_CELLS = MAX_CHECKED_CELLS + 2 * MAX_ACCOUNT_CELLS

/**
 * The libraries of an account, ascending: library hash (unsigned 256 bits), SimpleLib. Throws CellError `budget` for more edges than it has. A list, because a
 * Map finds a bigint by its lowest 64 bits, and the author of a dictionary can make these equal in all keys.
 */
export const loadLibraries = (root: Cell | undefined, budget: Budget): (readonly [bigint, SimpleLib])[] =>
  [...dictEntries(root, 256, budget)].map(([hash, value]) => [hash, { public: value.loadBit(), root: value.loadRef() }] as const)
