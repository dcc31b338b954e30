export { checkVmStack } from './fits.ts'
export { loadVmStack } from './load.ts'
export { storeVmStack, storeVmStackValue } from './store.ts'
export type { VmStackValue } from './value.ts'
