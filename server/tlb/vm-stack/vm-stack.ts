export { loadVmStack, loadVmStackValue } from './load.ts'
export { storeVmStack, storeVmStackValue } from './store.ts'
export { MAX_TUPLE, type VmStackValue } from './value.ts'
