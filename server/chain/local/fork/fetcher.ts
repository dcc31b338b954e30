import { untilAborted } from '../../../base/abort.ts'
import { yieldToEventLoop } from '../../../base/yield.ts'
import type { DictPath } from '../../../cell/absent.ts'
import { type BlockId, blockText } from '../../../tlb/ids.ts'
import { LITE_ERROR, LiteServerError } from '../../liteserver.ts'
import type { FetchedLog } from '../store/fetched-log.ts'
import { libraryHashes } from './libraries.ts'
import type { ForkReads } from './reads.ts'
import { accountAt, keyAt, nameOfPath, placeText, TREE } from './trees.ts'

/** Largest number of libraries in one query. */
const MAX_LIBRARIES = 16
/** Largest number of places that one caller fetches at a time. */
const AT_ONCE = 16
/**
 * Longest time of one fetch, ms, with the connection that it may need. After one that had no answer in time the next ones wait for `again` ms, until one is
 * answered: blocks wait for a fetch, and must not stand still while the other network is away.
 */
const TIMES = { first: 20_000, again: 3_000 }

/** Fetches the cells that a fork lacks. */
export interface Fetcher {
  /**
   * Fetches the paths to places, and with an account the libraries that its cells name. Rejects with LiteServerError, which names the place and the
   * block, if one cannot be fetched.
   */
  fetch(places: readonly DictPath[], signal: AbortSignal): Promise<void>
}

export interface FetcherDeps {
  readonly fetched: FetchedLog
  /** The network at the block of the fork; rejects while it cannot be reached. */
  readonly reads: () => Promise<ForkReads>
  /** The other network and the block of the fork, for error texts that callers see. */
  readonly place: () => { readonly network: string; readonly block: BlockId }
  /** Other times, for tests. */
  readonly times?: typeof TIMES
}

export const createFetcher = ({ fetched, reads, place, times = TIMES }: FetcherDeps): Fetcher => {
  /** What is being fetched, by place, so that nothing is fetched twice at a time. */
  const running = new Map<string, Promise<void>>()
  /** Libraries that were requested: they were fetched, or the network does not have them. */
  const requested = new Set<string>()
  let patience = times.first

  const fetchLibraries = async (from: ForkReads, hashes: readonly string[], signal: AbortSignal): Promise<void> => {
    const missing = hashes.filter((hash) => !requested.has(hash))
    for (let i = 0; i < missing.length; i += MAX_LIBRARIES) {
      const part = missing.slice(i, i + MAX_LIBRARIES)
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
    // An account may have 65,536 cells. They are parsed and searched for libraries in one turn of the event loop each, and written in several.
    await yieldToEventLoop()
    // The libraries come first: an account that is present is never fetched again.
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
    const fetching = fetchOne(at, signal)
      .catch((error: unknown) => {
        throw failed(at, error)
      })
      .finally(() => {
        patience = signal.aborted ? times.again : times.first
        running.delete(name)
      })
    // The caller may no longer wait.
    fetching.catch(() => {})
    running.set(name, fetching)
    return fetching
  }

  return {
    fetch: async (places, signal) => {
      const lost = places.find(({ tree }) => tree === TREE.nowhere)
      if (lost !== undefined) throw failed(lost, new Error('no query of lite-servers answers it'))
      for (let i = 0; i < places.length; i += AT_ONCE) {
        await untilAborted(Promise.all(places.slice(i, i + AT_ONCE).map(start)), signal)
      }
    },
  }
}
