import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { createTvm, type TvmOptions } from '../../../server/tvm/create.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'

/*
 * Threads are started from a built worker: node 20 cannot start one from TypeScript. Tests have one of their own, built here when it is missing or
 * older than its sources, so that a test file runs by itself and no build of the server gets in its way.
 */

/** The project, from here or from where the bench's bundle has this code (dist/test/chunks). */
const root = ['../../', '../../../']
  .map((way) => fileURLToPath(new URL(way, import.meta.url)))
  .find((folder) => existsSync(`${folder}server/tvm/worker.ts`))!
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
  // Another test process may be reading it: it changes at once or not at all.
  const own = `${built}.${process.pid}`
  writeFileSync(own, outputFiles[0]!.contents)
  renameSync(own, built)
  rmSync(own, { force: true })
}

/** The real TVM for tests; close it in afterAll. */
export const createTestTvm = (options: TvmOptions = {}): Tvm => {
  buildWorker()
  return createTvm({ workerUrl: pathToFileURL(built), ...options })
}
