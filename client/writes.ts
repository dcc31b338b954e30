import type { Methods } from './methods.ts'

/** Methods that change something, by type. */
export type WriteMethod = { [M in keyof Methods]: Methods[M]['effect'] extends 'write' ? M : never }[keyof Methods]

/** The only data about methods at run time: those that must never be sent twice. A missing one does not compile. */
export const WRITES: Readonly<Record<WriteMethod, true>> = {
  unsubscribe: true,
  sendBocReturnHashNoError: true,
  subscribe: true,
  sendBoc: true,
  sendBocReturnHash: true,
  'v3.message': true,
  'v4.sendMessage': true,
  'local.sendInternal': true,
  'local.setConfig': true,
  'local.holdShardBlocks': true,
  'local.deployCollection': true,
  'local.deployJetton': true,
  'local.mintJetton': true,
  'local.mine': true,
  'local.increaseTime': true,
  'local.mintNft': true,
  'local.setTime': true,
  'local.revert': true,
  'local.setJettonBalance': true,
  'local.setAccount': true,
  'local.setBalance': true,
  'local.setAutomine': true,
  'local.impersonate': true,
  'local.fund': true,
  'local.snapshot': true,
}
