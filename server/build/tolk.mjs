// Bundler plugins for `import { code } from './x.tolk'`: `code` is the compiled contract, as base64 of its code's BoC.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

const TOLK = /\.tolk$/
/** Compiling takes a second or two, so results are cached by the hash of the sources. */
const CACHE = new URL('../../node_modules/.cache/tonway-tolk/', import.meta.url).pathname
const { version } = createRequire(import.meta.url)('@ton/tolk-js/package.json')

/** A hash of the compiler's version and of all contract files in the folder, because these import each other. */
const hashOf = (file) => {
  const hash = createHash('sha256').update(`${version}\n${basename(file)}\n`)
  for (const name of readdirSync(dirname(file)).sort()) if (TOLK.test(name)) hash.update(readFileSync(join(dirname(file), name)))
  return hash.digest('hex')
}

/** Compiles a contract to base64 of its code's BoC. Throws with the compiler's message, which names file and line. */
const compile = async (file) => {
  const { runTolkCompiler } = await import('@ton/tolk-js')
  const result = await runTolkCompiler({
    entrypointFileName: basename(file),
    fsReadCallback: (path) => readFileSync(join(dirname(file), path), 'utf8'),
  })
  if (result.status === 'error') throw new Error(result.message)
  return result.codeBoc64
}

const codeOf = async (file) => {
  const cached = join(CACHE, hashOf(file))
  try {
    return readFileSync(cached, 'utf8')
  } catch {
    const code = await compile(file)
    mkdirSync(CACHE, { recursive: true })
    // The file is written under another name and then renamed, because other builds may run at the same time.
    writeFileSync(`${cached}.${process.pid}`, code)
    renameSync(`${cached}.${process.pid}`, cached)
    return code
  }
}

/** Source of the JavaScript module that replaces a contract file. */
const moduleOf = async (file) => `export const code = ${JSON.stringify(await codeOf(file))}\n`

/** Plugin for esbuild. */
export const tolkForEsbuild = {
  name: 'tolk',
  setup(build) {
    build.onLoad({ filter: TOLK }, async ({ path }) => ({ contents: await moduleOf(path), loader: 'js' }))
  },
}

/** Plugin for vite and vitest. */
export const tolkForVite = {
  name: 'tolk',
  enforce: 'pre',
  load: (id) => (TOLK.test(id) ? moduleOf(id) : undefined),
}
