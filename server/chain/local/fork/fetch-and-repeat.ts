import { AbsentCellError } from '../../../cell/absent.ts'
import { nameOfPath } from './dictionary-paths.ts'
import type { Fetcher } from './fetcher.ts'

/**
 * Runs a function that may read absent cells. If the function reads an absent cell, fetches the missing cells and runs the function again. So the function
 * must not change anything before it has read all cells that it needs.
 */
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
        // A fetch makes all cells of the path present. If the same path is missing again, that is a bug, so the error is thrown.
        if (tried.has(name)) throw error
        tried.add(name)
        signal.throwIfAborted()
        await fetcher.fetch([error.at, ...error.others], signal)
      }
    }
  }
