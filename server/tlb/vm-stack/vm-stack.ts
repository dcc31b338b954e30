export { checkVmStack } from './fits-cells.ts'
export { loadVmStack, loadVmStackSteps } from './load.ts'
export { storeVmStack, storeVmStackValue } from './store.ts'
export type { VmStackValue } from './value.ts'
