import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { createTvm, type TvmOptions } from '../../../server/tvm/create.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { projectFolder } from '../project.ts'

/*
 * TVM threads start from a built worker, because node 20 cannot start one from TypeScript. Tests have their own build. It is made here if it is
 * missing or older than its sources. So a test file runs alone, and a build of the server does not interfere.
 */

const root = `${projectFolder}/`
const built = `${root}dist/test/tvm-worker.js`

const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const buildWorker = (): void => {
  const sources = readdirSync(`${root}server/tvm`, { recursive: true }).map((name) => modified(`${root}server/tvm/${String(name)}`))
  if (modified(built) >= Math.max(...sources)) return
  const { outputFiles } = buildSync({
    entryPoints: [`${root}server/tvm/worker.ts`],
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    write: false,
  })
  mkdirSync(`${root}dist/test`, { recursive: true })
  // Another test process may be reading the file, so it is replaced in one step.
  const own = `${built}.${process.pid}`
  writeFileSync(own, outputFiles[0]!.contents)
  renameSync(own, built)
  rmSync(own, { force: true })
}

/** The real TVM for tests. Close it in afterAll. */
export const createTestTvm = (options: TvmOptions = {}): Tvm => {
  buildWorker()
  return createTvm({ workerUrl: pathToFileURL(built), ...options })
}

/** Tells of each transaction that was too long for the calling thread and goes to the pool. */
export const tellingPool = (tvm: Tvm, onPooled: () => void): Tvm => ({
  ...tvm,
  runTransaction(...args) {
    const before = tvm.stats().inline
    const made = tvm.runTransaction(...args)
    // One that is made here is made before the promise is returned.
    if (tvm.stats().inline === before) onPooled()
    return made
  },
})
