import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'
import { cacheFile, readCache, writeCache } from './code-cache.ts'

/*
 * Loads the code of the package from one file (server/build/start.mjs), with what V8 compiled of it in an earlier process. Half of the processor time of a start is
 * otherwise spent on resolving, reading and compiling.
 */

/** Name of that file in dist/server/start. The build sets it. */
declare const BUNDLE: string

/** Milliseconds from the first start to the writing of the cache. It holds the functions that ran until then. */
const KEEP_AFTER_MS = 1000

/** The exports of ../bundle.ts. */
type Bundle = typeof import('../first-start.ts') & typeof import('../tonway.ts') & { runThread(): Promise<void> }
type Run = (exports: object, require: NodeJS.Require, module: { exports: object }, __filename: string) => void

/** Keeps what is compiled by now, once. A process that ends before the time is over keeps it at its end. */
const keepSoon = (script: Script, file: string): void => {
  const keep = (): void => {
    clearTimeout(timer)
    process.off('exit', keep)
    writeCache(file, script.createCachedData())
  }
  const timer = setTimeout(keep, KEEP_AFTER_MS).unref()
  process.once('exit', keep)
}

/** Runs the file at `url`. */
const load = (url: URL): Bundle => {
  const filename = fileURLToPath(url)
  const cache = cacheFile(basename(filename))
  const cachedData = readCache(cache)
  const script = new Script(`(function (exports, require, module, __filename) {${readFileSync(filename, 'utf8')}\n})`, {
    filename,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const module = { exports: {} }
  ;(script.runInThisContext() as Run)(module.exports, createRequire(filename), module, filename)
  const bundle = module.exports as Bundle
  if (script.cachedDataRejected !== false) bundle.onFirstStart(() => keepSoon(script, cache))
  return bundle
}

// Both programs that load it share this code, so it runs in dist/server/chunks.
export const bundle: Bundle = load(new URL(`../start/${BUNDLE}`, import.meta.url))
