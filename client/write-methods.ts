import type { Methods } from './methods.ts'

export type WriteMethod = { [M in keyof Methods]: Methods[M]['effect'] extends 'write' ? M : never }[keyof Methods]

/** Groups in which most methods are writes. Only their reads are listed. */
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

/** The only method data at run time: which methods must never be sent twice. The types make a missing entry a compile error. */
const WRITES: Readonly<Record<Exclude<WriteMethod, InGroup>, true>> = {
  unsubscribe: true,
  sendBocReturnHashNoError: true,
  subscribe: true,
  sendBoc: true,
  sendBocReturnHash: true,
  'v3.message': true,
  'v4.sendMessage': true,
}

/** True if a method changes something, and therefore must never be sent twice. */
export const isWrite = (method: string): boolean => (GROUPS.test(method) ? !Object.hasOwn(READS, method) : Object.hasOwn(WRITES, method))
