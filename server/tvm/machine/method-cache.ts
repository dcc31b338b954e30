import type { Cell } from '../../cell/cell.ts'
import type { Block } from './code.ts'
import type { Machine } from './machine.ts'

/*
 * Jumps into a dictionary of code: what nearly every contract begins with. Where a method was found before, only its edges are charged again, in the
 * same order.
 */

/** Methods kept of one dictionary. */
const KEPT = 128

interface Method {
  readonly n: number
  readonly signed: boolean
  readonly block: Block
  /** The edges that were read on the way, in order. */
  readonly edges: readonly Cell[]
}

/** By dictionary, then by key. A contract looks methods up in one way only, so that other lengths of keys need not be kept beside each other. */
const known = new WeakMap<Cell, Map<number | bigint, Method>>()

type Find = (vm: Machine, root: Cell, n: number, index: number | bigint, signed: boolean) => Block | undefined

/** The code of an entry of a dictionary; undefined where there is none. Charges as `find` does. */
export const methodOf = (vm: Machine, root: Cell, n: number, index: number | bigint, signed: boolean, find: Find): Block | undefined => {
  let methods = known.get(root)
  const method = methods?.get(index)
  if (method !== undefined && method.n === n && method.signed === signed && method.block.version === vm.version) {
    for (const edge of method.edges) vm.load(edge)
    return method.block
  }
  const edges: Cell[] = []
  vm.onLoad = edges
  let block: Block | undefined
  try {
    block = find(vm, root, n, index, signed)
  } finally {
    vm.onLoad = undefined
  }
  // An edge that is a library stands for another one in each run.
  if (block === undefined || edges.some((edge) => edge.exotic)) return block
  if (methods === undefined) {
    methods = new Map()
    known.set(root, methods)
  }
  if (methods.size >= KEPT) methods.clear()
  methods.set(index, { n, signed, block, edges })
  return block
}
