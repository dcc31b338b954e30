/* What is built into the one file of the package's code (server/build/compiled.mjs). */

export { onFirstStart } from './first-start.ts'
export { createUseTonway, startTonway } from './tonway.ts'

/** Runs the thread that a tonway runs in. */
export const runThread = async (): Promise<void> => {
  await import('./thread/worker.ts')
}
