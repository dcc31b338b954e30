export { loadVmStack, loadVmStackValue } from './load.ts'
export { storeVmStack, storeVmStackValue } from './store.ts'
export { MAX_STACK_DEPTH, MAX_TUPLE, MAX_VALUES, type VmCellSlice, type VmContKind, type VmStackValue } from './value.ts'
