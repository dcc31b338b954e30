import type { Cell } from '../../../cell/cell.ts'
import type { Slice } from '../../../cell/slice.ts'
import { CELL_OVERFLOW, RANGE_CHECK } from '../../machine/exceptions.ts'
import type { Instruction } from '../../machine/instruction.ts'
import { isNaNInteger } from '../../machine/integer.ts'
import type { Machine } from '../../machine/machine.ts'
import { simple } from '../define.ts'

/* 0xF940..0xF943: counts distinct cells, their bits and references. Each visited cell is charged as a load. */

export class StorageCount {
  cells = 0
  bits = 0
  refs = 0
  private readonly vm: Machine
  private readonly limit: number
  private readonly seen = new Set<string>()

  constructor(vm: Machine, limit: number) {
    this.vm = vm
    this.limit = limit
  }

  addSlice(slice: Slice): boolean {
    this.bits += slice.remainingBits
    this.refs += slice.remainingRefs
    for (let i = 0; i < slice.remainingRefs; i++) if (!this.addCell(slice.preloadRef(i))) return false
    return true
  }

  /** Counts a cell and the cells below it. Recursion is safe, because a cell's depth is limited. */
  addCell(cell: Cell): boolean {
    const key = this.vm.hashOf(cell)
    if (this.seen.has(key)) return true
    this.seen.add(key)
    if (this.cells >= this.limit) return false
    this.cells++
    this.vm.load(cell)
    return this.addSlice(cell.sliceExotic())
  }
}

const dataSize = (vm: Machine, { slice, quiet }: { readonly slice: boolean; readonly quiet: boolean }): void => {
  vm.need(2)
  const bound = vm.int()
  const value = slice ? vm.slice() : vm.maybeCell()
  if (isNaNInteger(bound) || bound < 0) throw RANGE_CHECK
  const count = new StorageCount(vm, Number(bound))
  const within = value === null || ('remainingBits' in value ? count.addSlice(value) : count.addCell(value))
  if (within) vm.stack.push(count.cells, count.bits, count.refs)
  else if (!quiet) throw CELL_OVERFLOW
  if (quiet) vm.stack.push(within ? -1 : 0)
}

export const DATA_SIZE: readonly Instruction[] = [
  simple(0xf940, 16, 'CDATASIZEQ', dataSize, { slice: false, quiet: true }),
  simple(0xf941, 16, 'CDATASIZE', dataSize, { slice: false, quiet: false }),
  simple(0xf942, 16, 'SDATASIZEQ', dataSize, { slice: true, quiet: true }),
  simple(0xf943, 16, 'SDATASIZE', dataSize, { slice: true, quiet: false }),
]
