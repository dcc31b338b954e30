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
  readonly block: Block
  /** The edges that were read on the way, in order. */
  readonly edges: readonly Cell[]
}

const known = new WeakMap<Cell, Map<string, Method>>()

type Find = (vm: Machine, root: Cell, n: number, index: number | bigint, signed: boolean) => Block | undefined

/** The code of an entry of a dictionary; undefined where there is none. Charges as `find` does. */
export const methodOf = (vm: Machine, root: Cell, n: number, index: number | bigint, signed: boolean, find: Find): Block | undefined => {
  let methods = known.get(root)
  const key = `${index}:${n}${signed ? 's' : 'u'}${vm.version}`
  const method = methods?.get(key)
  if (method !== undefined) {
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
  methods.set(key, { block, edges })
  return block
}
