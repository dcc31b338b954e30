import type { Methods } from './methods.ts'

/** Methods that change something, by type. */
export type WriteMethod = { [M in keyof Methods]: Methods[M]['effect'] extends 'write' ? M : never }[keyof Methods]

/** The only data about methods at run time: those that must never be sent twice. A missing one does not compile. */
export const WRITES: Readonly<Record<WriteMethod, true>> = {
  sendBoc: true,
  sendBocReturnHash: true,
  sendBocReturnHashNoError: true,
  'v3.message': true,
  'v4.sendMessage': true,
  subscribe: true,
  unsubscribe: true,
  'local.fund': true,
  'local.mine': true,
  'local.setAutomine': true,
  'local.holdShardBlocks': true,
  'local.setTime': true,
  'local.increaseTime': true,
  'local.snapshot': true,
  'local.revert': true,
  'local.setAccount': true,
  'local.setBalance': true,
  'local.impersonate': true,
  'local.sendInternal': true,
  'local.setConfig': true,
  'local.deployJetton': true,
  'local.mintJetton': true,
  'local.setJettonBalance': true,
  'local.deployCollection': true,
  'local.mintNft': true,
}
