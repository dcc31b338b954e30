import type { Methods } from './methods.ts'

/** Methods that change something, by type. */
export type WriteMethod = { [M in keyof Methods]: Methods[M]['effect'] extends 'write' ? M : never }[keyof Methods]

/** Groups of which most methods change something: those that do not are listed, which is shorter. */
type InGroup = `${'local' | 'hooks'}.${string}`
const GROUPS = /^(?:local|hooks)\./

const READS: Readonly<Record<Exclude<Extract<keyof Methods, InGroup>, WriteMethod>, true>> = {
  'local.wallets': true,
  'local.exportState': true,
  'local.signTransfer': true,
  'local.trace': true,
  'local.traceTransaction': true,
  'hooks.list': true,
}

/** The only data about methods at run time: those that must never be sent twice. A missing one does not compile, in either list. */
const WRITES: Readonly<Record<Exclude<WriteMethod, InGroup>, true>> = {
  unsubscribe: true,
  sendBocReturnHashNoError: true,
  subscribe: true,
  sendBoc: true,
  sendBocReturnHash: true,
  'v3.message': true,
  'v4.sendMessage': true,
}

/** Whether a method changes something, and so must never be sent twice. */
export const isWrite = (method: string): boolean => (GROUPS.test(method) ? !Object.hasOwn(READS, method) : Object.hasOwn(WRITES, method))
