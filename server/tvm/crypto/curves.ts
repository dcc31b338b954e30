import { VmInterrupted } from '../machine/exceptions.ts'

/*
 * The curves that node:crypto lacks. Their library takes 3 MB of memory, and few contracts use it, so a thread loads it when a run first needs it. The thread
 * that serves requests never loads it. There, a run is dropped before an operation on a curve, and is repeated in the pool.
 */

type Curves = typeof import('./noble.ts')

let loaded: Curves | undefined

/** Loads the curves; resolves when runs of this thread may use them. */
export const loadCurves = async (): Promise<void> => {
  loaded ??= await import('./noble.ts')
}

/** Returns the operations on curves. Throws VmInterrupted if they are not loaded. The caller then repeats the run in the pool, or after `loadCurves`. */
export const curves = (): Curves => {
  if (loaded === undefined) throw new VmInterrupted('the run needs curves, which are not loaded in this thread')
  return loaded
}
