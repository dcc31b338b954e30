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
 * Runs code. If a library is missing, fetches it from the public libraries and runs the code again. `own` is the root of the libraries of the first run;
 * `ofCode` is the hash of a library to fetch before it. Libraries that earlier runs needed are not remembered: callers choose them by arguments, and
 * anybody by the data of an account with the same code, so they would be large and fill the limit of all further runs.
 */
export const fetchingLibraries = async <R extends { readonly missingLibrary?: string | undefined }>(
  run: (libraries: Cell | undefined) => Promise<R>,
  { own, ofCode }: { readonly own?: Cell | undefined; readonly ofCode?: Uint8Array | undefined },
  fetch: FetchLibraries,
  signal: AbortSignal,
): Promise<R> => {
  let libraries = own
  const requested = new Set<string>()
  const add = async (hash: Uint8Array): Promise<boolean> => {
    requested.add(toHex(hash))
    const [found] = await fetch([hash], signal)
    if (found !== undefined) libraries = withLibrary(libraries, found)
    return found !== undefined
  }
  if (ofCode !== undefined) await add(ofCode)
  for (;;) {
    const result = await run(libraries)
    const { missingLibrary: missing } = result
    if (missing === undefined || requested.has(missing) || requested.size >= MAX_LIBRARIES) return result
    if (!(await add(Uint8Array.from(Buffer.from(missing, 'hex'))))) return result
  }
}

/** Runs a get-method, with the public libraries that it needs. `own` is the root of the account's own libraries. */
export const runWithLibraries = (
  tvm: Pick<Tvm, 'runGetMethod'>,
  request: Omit<GetMethodRequest, 'libraries'>,
  own: Cell | undefined,
  fetch: FetchLibraries,
  signal: AbortSignal,
): Promise<GetMethodResult> =>
  fetchingLibraries(
    // The request is copied only for a run with libraries, because a copy takes as long as a short run.
    (libraries) => tvm.runGetMethod(libraries === undefined ? request : { ...request, libraries: [libraries] }, signal),
    { own, ofCode: libraryHash(request.code) },
    fetch,
    signal,
  )
