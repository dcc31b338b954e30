import { Lru } from '../base/memory/lru.ts'
import { portionsOf } from '../base/memory/portions.ts'
import { runSteps } from '../base/yield.ts'
import { parsedSizeOf } from '../cell/boc.ts'
import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { dictSet } from '../cell/dict.ts'
import { hashToBig, toHex } from '../tlb/bytes.ts'
import type { BlockId } from '../tlb/ids.ts'
import type { GetMethodRequest, GetMethodResult, Tvm } from '../tvm/tvm.ts'
import type { CheckedQuery } from './checked-query.ts'
import { checkLibrariesWithProof, type Library } from './proofs/libraries.ts'

export type FetchLibraries = (hashes: readonly Uint8Array[], signal: AbortSignal) => Promise<readonly Library[]>

/** Maximum number of libraries in one answer of a lite-server. */
export const MAX_LIBRARIES = 16
/** Maximum number of libraries that a run reads, unless the caller sets a lower one. It is repeated for each. */
const MAX_RUN_LIBRARIES = 16
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
          bytes: 512 + parsedSizeOf(answer.result[at]!.data),
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

const withLibrary = (root: Cell | undefined, { hash, code }: Library): Cell =>
  dictSet(root, 256, hashToBig(hash), beginCell().storeRef(code))

export const libraryHash = (cell: Cell): Uint8Array | undefined => {
  if (cell.type !== 'library') return undefined
  return cell.sliceExotic().skip(8).loadBytes(32)
}

/** The libraries that the runs of some code need, besides those of the root `own`. Reads at most `most`, each when a run misses it. */
export const createRunLibraries = (
  fetch: (hashes: readonly Uint8Array[]) => Promise<readonly Library[]>,
  most: number,
  own: Cell | undefined = undefined,
) => {
  const requested = new Set<string>()
  let root = own
  /** Reads the library with this hash (hex). Returns false if the library does not exist or was already read. */
  const add = async (name: string): Promise<boolean> => {
    if (requested.has(name) || requested.size >= most) return false
    requested.add(name)
    const [found] = await fetch([Uint8Array.from(Buffer.from(name, 'hex'))])
    if (found !== undefined) root = withLibrary(root, found)
    return found !== undefined
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

/**
 * Runs code. If a library is missing, fetches it from the public libraries and runs the code again. `own` is the root of the libraries of the first run;
 * the library to which `code` refers is fetched before it. Libraries that earlier runs needed are not remembered: callers choose them by arguments, and
 * anybody by the data of an account with the same code, so they would be large and fill the limit of all further runs.
 */
export const fetchingLibraries = async <R extends { readonly missingLibrary?: string | undefined }>(
  run: (libraries: Cell | undefined) => Promise<R>,
  { own, code }: { readonly own?: Cell | undefined; readonly code?: Cell | undefined },
  fetch: FetchLibraries,
  signal: AbortSignal,
  most = MAX_RUN_LIBRARIES,
): Promise<R> => {
  const libraries = createRunLibraries((hashes) => fetch(hashes, signal), most, own)
  await libraries.addFor(code)
  for (;;) {
    const result = await run(libraries.root())
    if (result.missingLibrary === undefined || !(await libraries.add(result.missingLibrary))) return result
  }
}

/** Runs a get-method, with the public libraries that it needs. `own` is the root of the account's own libraries. */
export const runWithLibraries = (
  tvm: Pick<Tvm, 'runGetMethod'>,
  request: Omit<GetMethodRequest, 'libraries'>,
  own: Cell | undefined,
  fetch: FetchLibraries,
  signal: AbortSignal,
  most?: number,
): Promise<GetMethodResult> =>
  fetchingLibraries(
    // The request is copied only for a run with libraries, because a copy takes as long as a short run.
    (libraries) => tvm.runGetMethod(libraries === undefined ? request : { ...request, libraries: [libraries] }, signal),
    { own, code: request.code },
    fetch,
    signal,
    most,
  )
