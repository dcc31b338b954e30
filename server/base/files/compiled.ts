import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'
import { cacheFile, readCache, writeCache } from './code-cache.ts'

/*
 * Runs a file of CommonJS with what V8 compiled of it earlier. More than half of the processor time of a start is otherwise spent on resolving, reading and
 * compiling.
 */

/** Milliseconds from the first work to the writing of the cache. It holds the functions that ran until then. */
const KEEP_AFTER_MS = 1000

type Run = (exports: object, require: NodeJS.Require, module: { exports: object }, __filename: string) => void

/** A file that runs. */
export interface Compiled {
  readonly exports: object
  /** To be called once, when the program has its first work: keeps soon what is compiled by then. Nothing if what was kept is in use. */
  keepSoon(): void
}

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

/** Runs the file at `url`, whose name has a hash of its content. */
export const runCompiled = (url: URL): Compiled => {
  const filename = fileURLToPath(url)
  const cache = cacheFile(basename(filename))
  const cachedData = readCache(cache)
  const script = new Script(`(function (exports, require, module, __filename) {${readFileSync(filename, 'utf8')}\n})`, {
    filename,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const isKept = script.cachedDataRejected === false
  const module = { exports: {} }
  ;(script.runInThisContext() as Run)(module.exports, createRequire(filename), module, filename)
  return {
    exports: module.exports,
    keepSoon() {
      if (!isKept) keepSoon(script, cache)
    },
  }
}
