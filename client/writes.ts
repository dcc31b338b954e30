import type { Methods } from './methods.ts'

/** Methods that change something, by type. */
export type WriteMethod = { [M in keyof Methods]: Methods[M]['effect'] extends 'write' ? M : never }[keyof Methods]

type Group = 'local' | 'hooks'
/** All methods of these groups are treated as writes. */
const GROUPS = /^(?:local|hooks)\./

/** The only data about methods at run time: those that must never be sent twice. A missing one does not compile. */
const WRITES: Readonly<Record<Exclude<WriteMethod, `${Group}.${string}`>, true>> = {
  unsubscribe: true,
  sendBocReturnHashNoError: true,
  subscribe: true,
  sendBoc: true,
  sendBocReturnHash: true,
  'v3.message': true,
  'v4.sendMessage': true,
}

/** Whether a method changes something, and so must never be sent twice. */
export const isWrite = (method: string): boolean => GROUPS.test(method) || Object.hasOwn(WRITES, method)
