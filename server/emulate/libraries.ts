import type { Chain } from '../chain/chain-port.ts'
import { createRunLibraries } from '../chain/libraries.ts'
import type { BlockId } from '../tlb/ids.ts'

/** Maximum number of libraries that one emulation reads. */
const MAX_LIBRARIES = 64

export type EmulatedLibraries = ReturnType<typeof createLibraries>

/** The public libraries that one emulation needs. A library is read only when a run needs it. */
export const createLibraries = (chain: Pick<Chain, 'libraries'>, at: BlockId, signal: AbortSignal) =>
  createRunLibraries((hashes) => chain.libraries(hashes, signal, at), MAX_LIBRARIES)
