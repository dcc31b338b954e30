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
 * libraries. Libraries that earlier runs needed are not remembered: callers choose them by arguments, and anybody by the data of an account with the same
 * code, so they would be large and fill the limit of all further runs.
 */
export const runWithLibraries = async (
  tvm: Pick<Tvm, 'runGetMethod'>,
  request: Omit<GetMethodRequest, 'libraries'>,
  own: Cell | undefined,
  fetch: FetchLibraries,
  signal: AbortSignal,
): Promise<GetMethodResult> => {
  let libraries = own
  const requested = new Set<string>()
  const add = async (hash: Uint8Array): Promise<boolean> => {
    requested.add(toHex(hash))
    const [found] = await fetch([hash], signal)
    if (found !== undefined) libraries = withLibrary(libraries, found)
    return found !== undefined
  }
  const ofCode = libraryHash(request.code)
  if (ofCode !== undefined) await add(ofCode)
  for (;;) {
    // The request is copied only for a run with libraries, because a copy takes as long as a short run.
    const result = await tvm.runGetMethod(libraries === undefined ? request : { ...request, libraries: [libraries] }, signal)
    const { missingLibrary: missing } = result
    if (missing === undefined || requested.has(missing) || requested.size >= MAX_LIBRARIES) return result
    if (!(await add(Uint8Array.from(Buffer.from(missing, 'hex'))))) return result
  }
}
