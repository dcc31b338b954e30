import type { Cell } from '../../cell/cell.ts'
import type { Block } from './decoded-code.ts'
import type { Machine } from './machine.ts'

/*
 * Caches jumps into a dictionary of code, because nearly every contract starts with such a jump. If a method was found before, only the loads of its edges are
 * charged again, in the same order.
 */

const MAX_METHODS = 128

interface Method {
  readonly n: number
  readonly signed: boolean
  readonly block: Block
  readonly edges: readonly Cell[]
}

/** By dictionary, then by key. Only one key length is cached for a key, because a contract always looks up its methods with the same key length. */
let cache = new WeakMap<Cell, Map<number | bigint, Method>>()
export const forgetMethods = (): void => {
  cache = new WeakMap()
}

type Find = (vm: Machine, root: Cell, n: number, index: number | bigint, signed: boolean) => Block | undefined

/** The code of an entry of a dictionary; undefined if there is no such entry. The gas is the same as without the cache. */
export const methodOf = (vm: Machine, root: Cell, n: number, index: number | bigint, signed: boolean, find: Find): Block | undefined => {
  let methods = cache.get(root)
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
  // A path through a library cell is not cached, because the library can be different in another run.
  if (block === undefined || edges.some((edge) => edge.exotic)) return block
  if (methods === undefined) {
    methods = new Map()
    cache.set(root, methods)
  }
  if (methods.size >= MAX_METHODS) methods.clear()
  methods.set(index, { n, signed, block, edges })
  return block
}
