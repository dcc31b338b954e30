import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { dictSet } from '../cell/dict.ts'
import type { Chain } from '../chain/chain-port.ts'
import { libraryHash } from '../chain/libraries.ts'
import { hashToBig, toHex } from '../tlb/bytes.ts'
import type { BlockId } from '../tlb/ids.ts'

/** Maximum number of libraries that one emulation reads. */
const MAX_LIBRARIES = 64

export type EmulatedLibraries = ReturnType<typeof createLibraries>

/** The public libraries that one emulation needs. A library is read only when a run needs it. */
export const createLibraries = (chain: Pick<Chain, 'libraries'>, at: BlockId, signal: AbortSignal) => {
  const requested = new Set<string>()
  let root: Cell | undefined
  /** Reads the library with this hash (hex). Returns false if the library does not exist or was already read. */
  const add = async (name: string): Promise<boolean> => {
    if (requested.has(name) || requested.size >= MAX_LIBRARIES) return false
    requested.add(name)
    const found = await chain.libraries([Uint8Array.from(Buffer.from(name, 'hex'))], signal, at)
    for (const { hash, code } of found) root = dictSet(root, 256, hashToBig(hash), beginCell().storeRef(code))
    return found.length > 0
  }
  return {
    /** Root of Hashmap 256 LibDescr with the libraries that were read so far. */
    root: (): Cell | undefined => root,
    add,
    /** Reads the library to which `code` refers if `code` is a library cell. */
    async addFor(code: Cell | undefined): Promise<void> {
      const hash = code && libraryHash(code)
      if (hash !== undefined) await add(toHex(hash))
    },
  }
}
