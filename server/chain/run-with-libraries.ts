import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { dictSet } from '../cell/dict.ts'
import { hashToBig, toHex } from '../tlb/bytes.ts'
import type { GetMethodRequest, GetMethodResult, Tvm } from '../tvm/tvm.ts'
import type { Library } from './proofs/libraries.ts'

const MAX_LIBRARIES = 16

export type FetchLibraries = (hashes: readonly Uint8Array[], signal: AbortSignal) => Promise<readonly Library[]>

const withLibrary = (root: Cell | undefined, { hash, code }: Library): Cell =>
  dictSet(root, 256, hashToBig(hash), beginCell().storeRef(code))

export const libraryHash = (cell: Cell): Uint8Array | undefined => {
  if (cell.type !== 'library') return undefined
  return cell.sliceExotic().skip(8).loadBytes(32)
}

/**
 * Runs a get-method. If a library is missing, fetches it from the public libraries and runs the method again. `own` is the root of the account's own
 * libraries. `hints` are the hashes that earlier runs needed; new hashes are added to this map.
 */
export const runWithLibraries = async (
  tvm: Pick<Tvm, 'runGetMethod'>,
  request: Omit<GetMethodRequest, 'libraries'>,
  own: Cell | undefined,
  hints: Map<string, Uint8Array>,
  fetch: FetchLibraries,
  signal: AbortSignal,
): Promise<GetMethodResult> => {
  let libraries = own
  if (hints.size > 0) for (const library of await fetch([...hints.values()], signal)) libraries = withLibrary(libraries, library)
  for (let left = MAX_LIBRARIES - hints.size; ; left -= 1) {
    // The request is copied only for a run with libraries, because a copy takes as long as a short run.
    const result = await tvm.runGetMethod(libraries === undefined ? request : { ...request, libraries: [libraries] }, signal)
    if (result.missingLibrary === undefined || hints.has(result.missingLibrary) || left <= 0) return result
    const hash = Uint8Array.from(Buffer.from(result.missingLibrary, 'hex'))
    const [found] = await fetch([hash], signal)
    if (found === undefined) return result
    hints.set(toHex(hash), hash)
    libraries = withLibrary(libraries, found)
  }
}
