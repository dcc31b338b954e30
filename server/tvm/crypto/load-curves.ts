import { VmInterrupted } from '../machine/exceptions.ts'

/*
 * Some curves, and Keccak, which node:crypto lacks. They take 3 MB of memory, and few contracts need them. So a thread loads all of them when a run first needs
 * one. The thread that serves requests never loads them: it drops a run before such an operation, and the pool repeats the run.
 */

/** In JavaScript, the Keccak hashes that a get-method has gas for took five seconds. */
const loadKeccak = async () => {
  // A CommonJS package has no other export in the built service.
  const { createKeccak } = (await import('hash-wasm')).default
  return { keccak256: await createKeccak(256), keccak512: await createKeccak(512) }
}

const load = async () => ({
  ...(await import('./bls.ts')),
  ...(await import('./bls-points.ts')),
  ...(await import('./ristretto.ts')),
  ...(await import('./secp256k1.ts')),
  ...(await loadKeccak()),
})
type Curves = Awaited<ReturnType<typeof load>>

let loaded: Curves | undefined

export const loadCurves = async (): Promise<void> => {
  loaded ??= await load()
}

/** Returns the operations on curves, and Keccak. Throws VmInterrupted if they are not loaded. The caller then repeats the run in the pool, or after `loadCurves`. */
export const curves = (): Curves => {
  if (loaded === undefined) throw new VmInterrupted('the run needs curves, which are not loaded in this thread')
  return loaded
}
