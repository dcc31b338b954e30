// Builds the service (dist/server), its page, and further builds by name.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build, transform } from 'esbuild'
import { licensesText } from './licenses.mjs'
import { buildPage } from './page.mjs'
import { PROGRAMS } from './programs.mjs'
import { isCurrent, stampOf } from './stamp.mjs'
import { sweep } from './sweep.mjs'
import { tolkForEsbuild } from './tolk.mjs'

/**
 * Packages that are bundled into the service. They are ES modules, so esbuild can omit unused parts (translations of zod, dialects of kysely) and comments.
 * This saves 6 MB of heap per process. All other packages are not bundled.
 */
const BUNDLED = ['@noble/curves', '@noble/hashes', 'kysely', 'lru-cache', 'zod']

/** Removes comments that have lines of their own from a file's code, and replaces non-ASCII characters. Annotations such as @__PURE__ stay. */
const withoutComments = (text) =>
  text
    .replace(/^[ \t]*\/\*(?!\s*[@#]__)[\s\S]*?\*\/[ \t]*\n/gm, '')
    .replace(/^[ \t]*\/\/.*\n/gm, '')
    .replace(/[^\0-\x7f]/g, '?')

/** A file's code without any comments and annotations. */
const codeOf = async (text) => (await transform(text, { minifyWhitespace: true, legalComments: 'none' })).code

/**
 * Removes comments from the bundled packages. V8 keeps the source text of a module in memory as long as the module, and uses two bytes per character if any
 * character is beyond Latin-1, as in formulas in comments.
 */
const commentsOut = {
  name: 'comments-out',
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`/node_modules/(${BUNDLED.join('|')})/.*\\.js$`) }, async ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = withoutComments(text)
      // Text inside a string can look like a comment. A file whose code would change is not modified.
      const isSame = (await codeOf(contents)) === (await codeOf(text))
      return isSame ? { contents, loader: 'js' } : undefined
    })
  },
}

/**
 * Loads CommonJS packages by `require`. With `import`, node reads and parses their files twice, the second time only to find the names of exports. V8 optimizes
 * that parser in its own threads, which costs 6 MB. The C library keeps most of this memory, because the largest block raises its threshold for returning
 * memory to the system.
 */
const requiredPackages = {
  name: 'required-packages',
  setup({ onResolve, onLoad }) {
    const required = Object.keys(packageOf('').dependencies).filter((name) => !BUNDLED.includes(name) && packageOf(name).type !== 'module')
    const filter = new RegExp(`^(${required.join('|')})(/.*)?$`)
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'required-package' }))
    onLoad({ filter, namespace: 'required-package' }, ({ path }) => ({
      contents: `module.exports = require('./require-package.mjs').requirePackage(${JSON.stringify(path)})`,
      resolveDir: import.meta.dirname,
    }))
  },
}

const packageOf = (name) => JSON.parse(readFileSync(name === '' ? 'package.json' : `node_modules/${name}/package.json`, 'utf8'))

const outside = () => {
  const { dependencies, devDependencies, optionalDependencies } = packageOf('')
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter((name) => !BUNDLED.includes(name))
}

const LICENSES = 'dist/server/LICENSES.txt'

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  packages: 'external',
  plugins: [tolkForEsbuild],
  logLevel: 'warning',
}

const bundleProgram = (name, entry) =>
  build({
    ...common,
    sourcemap: true,
    entryPoints: { [name]: entry },
    outdir: 'dist/test',
    splitting: true,
    chunkNames: `chunks/${name}-[hash]`,
  })

const extras = {
  // The client's declarations are printed from the registry, so this module is loaded only on demand.
  client: async () => (await import('./client.mjs')).buildClient(),
  package: async () => (await import('./package.mjs')).buildPackage(),
  bare: () => {},
  bench: () => bundleProgram('bench', 'test/bench/main.ts'),
  fuzz: () => bundleProgram('fuzz', 'test/fuzz/main.ts'),
  suites: () => bundleProgram('suites', 'test/kit/suites.ts'),
  torture: () => bundleProgram('torture', 'test/torture/main.ts'),
  conformance: () => bundleProgram('conformance', 'test/conformance/main.ts'),
  oracle: () => bundleProgram('oracle', 'test/tvm/oracle/main.ts'),
  'index-go': () => bundleProgram('index-go', 'test/live/index-go/main.ts'),
}

/** The stamp of the service. It is the last file that the build writes. */
const STAMP = 'dist/server/.stamp'

/** Builds the service if it is not up to date. `bare`: without source maps, for `npm pack`. */
const buildService = async (bare) => {
  const stamp = stampOf(['server', 'shared', 'package.json', 'package-lock.json'], String(bare))
  if (isCurrent(STAMP, stamp)) return
  rmSync(STAMP, { force: true })
  const { packages: _, ...shared } = common
  // The tarball contains no source maps, so line positions are of no use and the code is minified. Its lines are short, because node prints the line that
  // threw before the message of an error that nobody catches.
  const minified = { minifyWhitespace: true, lineLimit: 200 }
  const options = { ...shared, external: outside(), plugins: [...common.plugins, commentsOut], sourcemap: !bare, ...(bare && minified) }
  const { metafile } = await build({
    ...options,
    plugins: [...options.plugins, requiredPackages],
    entryPoints: PROGRAMS,
    outdir: 'dist',
    splitting: true,
    chunkNames: 'server/chunks/[name]-[hash]',
    metafile: true,
  })
  writeFileSync(LICENSES, licensesText(BUNDLED))
  sweep(new Set([LICENSES, ...Object.keys(metafile.outputs)]))
  writeFileSync(STAMP, stamp)
}

/** Builds the service, its page and the named `extras`, as far as they are not up to date. */
export const buildAll = async (names) => {
  for (const name of names) if (!Object.hasOwn(extras, name)) throw new Error(`unknown: ${name}; known: ${Object.keys(extras).join(', ')}`)
  await buildService(names.includes('bare'))
  await buildPage()
  for (const name of names) await extras[name]()
}
