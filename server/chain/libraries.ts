import { Lru } from '../base/memory/lru.ts'
import { portionsOf } from '../base/memory/portions.ts'
import { runSteps } from '../base/yield.ts'
import { toHex } from '../tlb/bytes.ts'
import type { BlockId } from '../tlb/ids.ts'
import type { CheckedQuery } from './checked-query.ts'
import { checkLibrariesWithProof, type Library } from './proofs/libraries.ts'
import type { FetchLibraries } from './run-with-libraries.ts'

/** Maximum number of libraries in one answer of a lite-server. */
export const MAX_LIBRARIES = 16
const MAX_ENTRIES = 1_024
/** Maximum number of bytes of all cached libraries. A library is stored once for each block at which it was read. */
const MAX_BYTES = 16 * 1024 * 1024

interface CacheEntry {
  readonly library: Library
  readonly bytes: number
}

/** Fetches and caches the libraries that are public at a block. The result omits libraries that are not public. */
export const createLibraries = (ask: CheckedQuery): ((block: BlockId) => FetchLibraries) => {
  const cache = new Lru<string, CacheEntry>({ max: MAX_ENTRIES, maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes })
  return (block) => async (hashes, signal) => {
    const keyOf = (hash: Uint8Array): string => toHex(block.rootHash) + toHex(hash)
    const unknown = hashes.filter((hash) => cache.get(keyOf(hash)) === undefined)
    const fetched = new Map<string, CacheEntry>()
    for (const part of portionsOf(unknown, MAX_LIBRARIES)) {
      const args = { id: block, mode: 0, hashes: part }
      const libraries = await ask('getLibrariesWithProof', args, signal, async (answer) =>
        (await runSteps(checkLibrariesWithProof(answer, block, part), signal)).map((library, at) => ({
          library,
          bytes: 512 + 4 * answer.result[at]!.data.length,
        })),
      )
      for (const each of libraries) fetched.set(toHex(each.library.hash), each)
    }
    return hashes.flatMap((hash) => {
      const found = cache.get(keyOf(hash)) ?? fetched.get(toHex(hash))
      if (found !== undefined) cache.set(keyOf(hash), found)
      return found?.library ?? []
    })
  }
}
