// Builds the service (dist/server), its page, and what is named besides.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build, transform } from 'esbuild'
import { licensesText } from './licenses.mjs'
import { buildPage } from './page.mjs'
import { PROGRAMS } from './programs.mjs'
import { isCurrent, stampOf } from './stamp.mjs'
import { sweep } from './sweep.mjs'
import { tolkForEsbuild } from './tolk.mjs'

/**
 * Packages that go into the bundles of the service. They are ES modules, so esbuild leaves out what is not used (translations of zod, dialects of kysely)
 * and their comments: 6 MB less in the heap of each process. All other packages stay outside.
 */
const BUNDLED = ['@noble/curves', '@noble/hashes', 'kysely', 'lru-cache', 'zod']

/** A file's code without its comments that have lines of their own, and without letters beyond ASCII. Marks such as @__PURE__ stay. */
const withoutComments = (text) =>
  text
    .replace(/^[ \t]*\/\*(?!\s*[@#]__)[\s\S]*?\*\/[ \t]*\n/gm, '')
    .replace(/^[ \t]*\/\/.*\n/gm, '')
    .replace(/[^\0-\x7f]/g, '?')

/** A file's code without all comments and marks. */
const codeOf = async (text) => (await transform(text, { minifyWhitespace: true, legalComments: 'none' })).code

/**
 * Takes comments out of the bundled packages. V8 keeps the text of a module as long as the module, and doubles it if one of its letters is beyond Latin-1,
 * as in the formulas of comments.
 */
const commentsOut = {
  name: 'comments-out',
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`/node_modules/(${BUNDLED.join('|')})/.*\\.js$`) }, async ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = withoutComments(text)
      // What looks like a comment may be part of a text: such a file stays as it is.
      const isSame = (await codeOf(contents)) === (await codeOf(text))
      return isSame ? { contents, loader: 'js' } : undefined
    })
  },
}

/**
 * Loads packages of CommonJS by `require`. An `import` of such a package lets node read and parse its files twice, once only for the names of their exports. V8
 * optimizes that parser in its own threads: 6 MB, most of which the C library keeps, as its largest block raises the limit at which it gives memory back.
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
  // Prints the client's declarations from the registry, so it is loaded only when it is required.
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

/** Where the stamp of the service is written: the last file of its build. */
const STAMP = 'dist/server/.stamp'

/** Builds the service unless it is up to date. `bare`: without source maps, for a package. */
const buildService = async (bare) => {
  const stamp = stampOf(['server', 'shared', 'package.json', 'package-lock.json'], String(bare))
  if (isCurrent(STAMP, stamp)) return
  rmSync(STAMP, { force: true })
  const { packages: _, ...shared } = common
  // A tarball has no source maps, so its files do not name any, and their layout helps nobody.
  const options = { ...shared, external: outside(), plugins: [...common.plugins, commentsOut], sourcemap: !bare, minifyWhitespace: bare }
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

/** Builds what is not up to date of the service, its page, and the `extras` that are named. */
export const buildAll = async (names) => {
  for (const name of names) if (!Object.hasOwn(extras, name)) throw new Error(`unknown: ${name}; known: ${Object.keys(extras).join(', ')}`)
  await buildService(names.includes('bare'))
  await buildPage()
  for (const name of names) await extras[name]()
}
