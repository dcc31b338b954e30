import { AbsentCellError } from '../../../cell/absent.ts'
import type { Fetcher } from './fetcher.ts'
import { nameOfPath } from './trees.ts'

/** Runs work that may need absent cells: fetches what it lacks and runs it again. Work must change nothing before it has all that it needs. */
export type Opening = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>

export const createOpening =
  (fetcher: Pick<Fetcher, 'fetch'>): Opening =>
  async (run, signal) => {
    const tried = new Set<string>()
    for (;;) {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof AbsentCellError)) throw error
        const name = nameOfPath(error.at)
        // Fetching a place makes everything on the path to it present, so a second time is a fault of this program.
        if (tried.has(name)) throw error
        tried.add(name)
        signal.throwIfAborted()
        await fetcher.fetch([error.at, ...error.others], signal)
      }
    }
  }
