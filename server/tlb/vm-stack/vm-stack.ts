export { checkVmStack } from './fits-cells.ts'
export { loadVmStack, loadVmStackSteps } from './load.ts'
export { storeVmStack, storeVmStackSteps, storeVmStackValue } from './store.ts'
export type { VmStackValue } from './value.ts'
