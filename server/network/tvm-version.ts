import type { Chain } from '../chain/chain-port.ts'
import { globalVersion } from '../tlb/config/general.ts'
import { NEWEST_VERSION, OLDEST_VERSION } from '../tvm/versions.ts'

/* Compares the global version of a network with the versions that this TVM implements, for /status. */

const MAX_AGE_MS = 1_000
const READ_MS = 10_000

/** `ticks`: monotonic milliseconds. */
export const watchVersion = (chain: Pick<Chain, 'config'>, ticks: () => number) => {
  /** Global version in configuration parameter 8 at the last read; undefined before the first read. */
  let networkVersion: number | undefined
  let readAt = Number.NEGATIVE_INFINITY
  const read = async (): Promise<void> => {
    readAt = ticks()
    try {
      const cell = (await chain.config(undefined, AbortSignal.timeout(READ_MS))).param(8)
      if (cell !== undefined) networkVersion = globalVersion.load(cell.slice()).version
    } catch {
      // The chain logs its failures itself. Until a read succeeds, the version of the last read is used.
    }
  }
  return {
    read,
    /** The versions as of the last read. Starts another read in the background if the last one is older than MAX_AGE_MS. */
    figures() {
      if (ticks() - readAt >= MAX_AGE_MS) void read()
      return { version: NEWEST_VERSION, network_version: networkVersion }
    },
    /** Sentences for people, if the network has a version that this TVM does not implement. */
    notes(): readonly string[] {
      if (networkVersion === undefined || (networkVersion >= OLDEST_VERSION && networkVersion <= NEWEST_VERSION)) return []
      const rules = networkVersion > NEWEST_VERSION ? `${NEWEST_VERSION}, the newest` : `${OLDEST_VERSION}, the oldest`
      return [
        `the network is at global version ${networkVersion}; get-methods and estimates run by the rules of version ${rules} known here`,
      ]
    },
  }
}
