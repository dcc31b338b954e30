import { untilAborted } from '../../../base/abort.ts'
import { portionsOf } from '../../../base/memory/portions.ts'
import { awaitedLater } from '../../../base/promises/awaited-later.ts'
import { yieldToEventLoop } from '../../../base/yield.ts'
import { AbsentCellError, type DictPath } from '../../../cell/absent.ts'
import { type BlockId, blockText } from '../../../tlb/ids.ts'
import { MAX_LIBRARIES } from '../../libraries.ts'
import { LITE_ERROR, LiteServerError } from '../../liteserver.ts'
import type { FetchedLog } from '../store/fetched-log.ts'
import { accountAt, keyAt, nameOfPath, placeText, TREE } from './dictionary-paths.ts'
import { libraryHashes } from './present-libraries.ts'
import type { ForkReads } from './reads.ts'

const AT_ONCE = 16
/**
 * Timeout of one fetch, ms, including the connection. After a fetch timed out, the next fetches have the timeout `again` until one is answered. Blocks wait
 * for fetches, so an unreachable network must not stop block production.
 */
const TIMES = { first: 20_000, again: 3_000 }

export interface FetcherDeps {
  readonly fetched: FetchedLog
  /** Reads the forked network at the block at which the fork begins; rejects while the network is unreachable. */
  readonly reads: () => Promise<ForkReads>
  /** For error texts: the forked network and the block at which the fork begins. */
  readonly place: () => { readonly network: string; readonly block: BlockId }
  readonly times?: typeof TIMES
}

export const createFetcher = ({ fetched, reads, place, times = TIMES }: FetcherDeps) => {
  /** Two callers that need the same path share a fetch. */
  const running = new Map<string, Promise<void>>()
  /** Libraries that were fetched, or that the network does not have. */
  const requested = new Set<string>()
  let patience = times.first

  const fetchLibraries = async (from: ForkReads, hashes: readonly string[], signal: AbortSignal): Promise<void> => {
    const missing = hashes.filter((hash) => !requested.has(hash))
    for (const part of portionsOf(missing, MAX_LIBRARIES)) {
      const paths = await from.libraries(
        part.map((hash) => new Uint8Array(Buffer.from(hash, 'latin1'))),
        signal,
      )
      if (paths !== undefined) await fetched.add(paths.found, signal)
      for (const hash of part) requested.add(hash)
    }
  }

  const fetchOne = async (at: DictPath, signal: AbortSignal): Promise<void> => {
    const from = await untilAborted(reads(), signal)
    const account = accountAt(at)
    if (account === undefined) return fetchLibraries(from, [Buffer.from(keyAt(at)).toString('latin1')], signal)
    const found = await from.account(account, signal)
    // An account may have 65,536 cells. Parsing them and searching them for libraries get a separate event-loop turn each; writing them gets several.
    await yieldToEventLoop()
    // Libraries must be fetched first, because an account that is already stored is never fetched again.
    if (found?.account !== undefined) await fetchLibraries(from, libraryHashes(found.account), signal)
    await yieldToEventLoop()
    if (found !== undefined) await fetched.add(found.found, signal)
  }

  const failed = (at: DictPath, error: unknown): LiteServerError => {
    const { name, message } = error as Error
    const why = name === 'TimeoutError' ? 'it did not answer in time' : message
    const { network, block } = place()
    const advice =
      error instanceof LiteServerError
        ? '. Most lite-servers keep states for about an hour: give an archival one with --liteservers, or fetch accounts at the start with --fork-keep'
        : ''
    const text = `${placeText(at)} was not read before, and cannot be fetched from ${network} at block ${blockText(block)}: ${why}${advice}`
    return new LiteServerError(LITE_ERROR.notReady, text)
  }

  const start = (at: DictPath): Promise<void> => {
    const name = nameOfPath(at)
    const current = running.get(name)
    if (current !== undefined) return current
    const signal = AbortSignal.timeout(patience)
    const fetching = awaitedLater(
      fetchOne(at, signal)
        .catch((error: unknown) => {
          throw failed(at, error)
        })
        .finally(() => {
          patience = signal.aborted ? times.again : times.first
          running.delete(name)
        }),
    )
    running.set(name, fetching)
    return fetching
  }

  return {
    /**
     * Fetches the paths, and for an account the libraries that its cells refer to. If a path cannot be fetched, rejects with LiteServerError, whose text
     * names the account or library and the block.
     */
    fetch: async (places: readonly DictPath[], signal: AbortSignal): Promise<void> => {
      const lost = places.find(({ tree }) => tree === TREE.nowhere)
      if (lost !== undefined) throw failed(lost, new Error('no query of lite-servers answers it'))
      for (const some of portionsOf(places, AT_ONCE)) await untilAborted(Promise.all(some.map(start)), signal)
    },
  }
}

/**
 * Runs a function that may read absent cells. If the function reads an absent cell, fetches the missing cells and runs the function again. So the function
 * must not change anything before it has read all cells that it needs.
 */
export type Opening = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>

export const createOpening =
  (fetcher: ReturnType<typeof createFetcher>): Opening =>
  async (run, signal) => {
    const tried = new Set<string>()
    for (;;) {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof AbsentCellError)) throw error
        const name = nameOfPath(error.at)
        // A fetch makes all cells of the path present. If the same path is missing again, that is a bug, so the error is thrown.
        if (tried.has(name)) throw error
        tried.add(name)
        signal.throwIfAborted()
        await fetcher.fetch([error.at, ...error.others], signal)
      }
    }
  }
