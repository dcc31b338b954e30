import { beginCell, type Cell } from '@ton/core'
import { createRandom, seed } from '../random.ts'
import { post, rpcText } from './connection.ts'
import type { WireService } from './service.ts'

/* Answers of a known size, of the real chain: accounts with much data. */

const LEAF_BYTES = 119

/** A tree of cells, no two alike, with about `bytes` bytes in all. No compression makes them much smaller. */
const treeOf = (bytes: number): Cell => {
  const random = createRandom(seed)
  const leaf = (): Cell =>
    beginCell()
      .storeBuffer(Buffer.from(random.bytes(LEAF_BYTES)))
      .endCell()
  let level = Array.from({ length: Math.ceil(bytes / LEAF_BYTES) }, leaf)
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 4) }, (_, i) => {
      const parent = beginCell()
      for (const child of level.slice(4 * i, 4 * i + 4)) parent.storeRef(child)
      return parent.endCell()
    })
  return level[0]!
}

/** The base64 text of a BoC of about `bytes` bytes. */
export const bocOf = (bytes: number): string => treeOf(bytes).toBoc().toString('base64')

export const LARGE = `0:${'1a'.repeat(32)}`

/** Gives an account so much data that an answer about it has about `characters` characters, at most 900,000. */
export const makeLarge = async (service: WireService, characters: number, address = LARGE): Promise<void> => {
  await service.rpc('local.setAccount', { address, data: bocOf((characters * 3) / 4), balance: '1000000000' })
}

/** A POST whose answer is a batch of `count` answers about the account. */
export const largeBatch = (count: number, address = LARGE): string =>
  post('/jsonRPC', `[${Array.from({ length: count }, (_, id) => rpcText('getAddressInformation', { address }, id)).join(',')}]`)
