// Builds dist/client, the client's package, as ESM and CJS. It bundles the client of json-rpc-2.0 and the SHA-256 of @noble/hashes. Its declarations need
// neither the registry nor zod.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { isCurrent, stampOf } from './stamp.mjs'
import { compiler, emitTypes } from './types.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = join(root, 'dist/client')
/** The package is built in a temporary folder and then renamed, so that two concurrent builds do not mix. */
const out = join(root, `dist/.client-${process.pid}`)
/** All sources of the package. */
const SOURCES = [
  ...['server/build/client.mjs', 'server/build/types.mjs', 'server/build/client-types.ts', 'package.json', 'LICENSE'],
  ...['client', '!client/page', 'shared'],
]

const entries = { index: 'client/index.ts', 'ton-core': 'client/adapters/ton-core.ts', verify: 'client/verify/index.ts' }

/** Marks the calls that load a bundled CommonJS package (json-rpc-2.0) as free of side effects. Bundlers can then omit the package if it is not used. */
const withPureMarks = (code) =>
  code.replace(/^(var \w+ = )(__commonJS\(|__toESM\()(require_\w+\()?/gm, (_, name, call, load) =>
    [name, '/* @__PURE__ */ ', call, ...(load ? ['/* @__PURE__ */ ', load] : [])].join(''),
  )

const emitCode = async (format, extension) => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: out,
    outExtension: { '.js': extension },
    bundle: true,
    // The bundle contains paths of packages. They must not depend on the real location of node_modules.
    preserveSymlinks: true,
    platform: 'neutral',
    target: 'es2022',
    format,
    external: ['@ton/core'],
    logLevel: 'warning',
    write: false,
  })
  for (const { path, text } of outputFiles) writeFileSync(path, withPureMarks(text))
}

const manifest = () => {
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entry = (types, code) => ({
    import: { types: `./types/${types}.d.ts`, default: `./${code}.js` },
    require: { types: `./types/${types}.d.cts`, default: `./${code}.cjs` },
  })
  return {
    name: 'tonway-client',
    version,
    description: 'Typed, batching JSON-RPC client for tonway and TON Center: browsers and Node, no dependencies.',
    license,
    type: 'module',
    engines,
    sideEffects: false,
    main: './index.cjs',
    module: './index.js',
    types: './types/index.d.ts',
    // For `moduleResolution: node`, which ignores `exports`.
    typesVersions: { '*': { 'ton-core': ['./types/adapters/ton-core.d.ts'], verify: ['./types/verify/index.d.ts'] } },
    exports: {
      '.': entry('index', 'index'),
      './ton-core': entry('adapters/ton-core', 'ton-core'),
      './verify': entry('verify/index', 'verify'),
      './package.json': './package.json',
    },
    files: ['*.js', '*.cjs', 'types'],
    // @ton/core 0.60 added extra currencies. A caret range would allow only one minor version, and would conflict with all other versions.
    peerDependencies: { '@ton/core': '>=0.60.0 <1' },
    peerDependenciesMeta: { '@ton/core': { optional: true } },
  }
}

/** Builds the package unless it is up to date. */
export const buildClient = async () => {
  const stamp = stampOf(SOURCES)
  if (isCurrent(join(place, '.stamp'), stamp)) return
  mkdirSync(out, { recursive: true })
  try {
    await make(stamp)
    rmSync(place, { recursive: true, force: true })
    renameSync(out, place)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

const make = async (stamp) => {
  await Promise.all([emitCode('esm', '.js'), emitCode('cjs', '.cjs')])
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  const licenseOf = (folder) => readFileSync(join(root, folder, 'LICENSE'), 'utf8').trim()
  const bundled = [
    `The files contain the client of json-rpc-2.0:\n\n${licenseOf('node_modules/json-rpc-2.0')}`,
    `index.js, index.cjs, verify.js and verify.cjs contain the SHA-256 of @noble/hashes:\n\n${licenseOf('node_modules/@noble/hashes')}`,
  ]
  writeFileSync(join(out, 'LICENSE'), `${[licenseOf('.'), ...bundled].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  cpSync(join(root, 'client/README.md'), join(out, 'README.md'))
  const tsc = compiler()
  // A server without development dependencies needs no declarations.
  if (!tsc) return console.warn('dist/client has no declarations: typescript is not installed')
  await emitTypes(tsc, { root, out, entries: Object.values(entries) })
  writeFileSync(join(out, '.stamp'), stamp)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildClient()
