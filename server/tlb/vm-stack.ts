export { loadVmStack, loadVmStackValue } from './vm-stack-load.ts'
export { storeVmStack, storeVmStackValue } from './vm-stack-store.ts'
export { MAX_STACK_DEPTH, MAX_TUPLE, MAX_VALUES, type VmCellSlice, type VmContKind, type VmStackValue } from './vm-stack-value.ts'
