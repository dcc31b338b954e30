import type { DictPath } from '../../../cell/absent.ts'
import { toHex } from '../../../tlb/bytes.ts'
import { type AccountId, MASTERCHAIN } from '../../../tlb/ids.ts'

/** Numbers of the dictionaries in which a fork has absent cells (DictPath). `nowhere`: no key leads to the cell. */
export const TREE = { masterAccounts: 0, shardAccounts: 1, libraries: 2, nowhere: 255 } as const

export const treeOf = (workchain: number): number => (workchain === MASTERCHAIN ? TREE.masterAccounts : TREE.shardAccounts)

export const pathOf = ({ workchain, hash }: AccountId): DictPath => ({
  tree: treeOf(workchain),
  key: Buffer.from(hash).toString('latin1'),
})

export const nameOfPath = ({ tree, key }: DictPath): string => `${tree} ${key}`

export const keyAt = ({ key }: DictPath): Uint8Array => new Uint8Array(Buffer.from(key, 'latin1'))

export const accountAt = (at: DictPath): AccountId | undefined => {
  if (at.tree === TREE.masterAccounts) return { workchain: MASTERCHAIN, hash: keyAt(at) }
  return at.tree === TREE.shardAccounts ? { workchain: 0, hash: keyAt(at) } : undefined
}

export const placeText = (at: DictPath): string => {
  const account = accountAt(at)
  if (account !== undefined) return `account ${account.workchain}:${toHex(account.hash)}`
  return at.tree === TREE.libraries ? `library ${toHex(keyAt(at))}` : 'an amount of extra currencies'
}
