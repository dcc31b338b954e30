export { checkVmStack } from './fits-cells.ts'
export { loadVmStack } from './load.ts'
export { storeVmStack, storeVmStackValue } from './store.ts'
export type { VmStackValue } from './value.ts'
