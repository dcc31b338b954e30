import { VmInterrupted } from '../machine/exceptions.ts'

/*
 * The curves that node:crypto lacks. @noble/curves takes 3 MB of memory, and few contracts need it, so a thread loads it when a run first needs it. The
 * thread that serves requests never loads it: it drops a run before an operation on a curve, and the pool repeats the run.
 */

const load = async () => ({
  ...(await import('./bls.ts')),
  ...(await import('./bls-points.ts')),
  ...(await import('./ristretto.ts')),
  ...(await import('./secp256k1.ts')),
})
type Curves = Awaited<ReturnType<typeof load>>

let loaded: Curves | undefined

export const loadCurves = async (): Promise<void> => {
  loaded ??= await load()
}

/** Returns the operations on curves. Throws VmInterrupted if they are not loaded. The caller then repeats the run in the pool, or after `loadCurves`. */
export const curves = (): Curves => {
  if (loaded === undefined) throw new VmInterrupted('the run needs curves, which are not loaded in this thread')
  return loaded
}
