import type { Cell } from '../../cell/cell.ts'
import type { VmBuilder } from './builder.ts'
import type { Machine } from './machine.ts'

export const CREATE_GAS = 500

export const finishCell = (vm: Machine, builder: VmBuilder): Cell => {
  vm.use(CREATE_GAS)
  return builder.end()
}
