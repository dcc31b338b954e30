import type { Cell } from '../../cell/cell.ts'
import type { VmBuilder } from './builder.ts'
import type { Machine } from './machine.ts'

/** Gas of a new cell. */
export const CREATE_GAS = 500

/** Charges the gas for a new cell and makes it. */
export const finishCell = (vm: Machine, builder: VmBuilder): Cell => {
  vm.use(CREATE_GAS)
  return builder.end()
}
