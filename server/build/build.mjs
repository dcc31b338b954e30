// Builds into dist/ with esbuild. `node server/build/build.mjs` makes the service with its page, which is all that `npm start` needs; with names it makes more:
// `client` the client's package (dist/client), `bench`, `fuzz` and `oracle` the long-running test programs. Packages stay outside the bundles.
import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { buildPage } from './page.mjs'
import { PROGRAMS } from './programs.mjs'
import { tolkForEsbuild } from './tolk.mjs'

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  plugins: [tolkForEsbuild],
  logLevel: 'warning',
}

const bundleProgram = (name, entry) =>
  build({ ...common, entryPoints: { [name]: entry }, outdir: 'dist/test', splitting: true, chunkNames: `chunks/${name}-[hash]` })

const extras = {
  // Prints the client's declarations from the registry, so it is loaded only when asked for.
  client: async () => (await import('./client.mjs')).buildClient(),
  bench: () => bundleProgram('bench', 'test/bench/main.ts'),
  fuzz: () => bundleProgram('fuzz', 'test/fuzz/main.ts'),
  oracle: () => bundleProgram('oracle', 'test/tvm/oracle/main.ts'),
}

const { metafile } = await build({
  ...common,
  entryPoints: PROGRAMS,
  outdir: 'dist',
  splitting: true,
  chunkNames: 'server/chunks/[name]-[hash]',
  metafile: true,
})
// Chunks of earlier builds are deleted after the new ones are written, so that a process that runs during the build finds its own.
const made = new Set(Object.keys(metafile.outputs).map((file) => basename(file)))
for (const file of readdirSync('dist/server/chunks')) if (!made.has(file)) rmSync(join('dist/server/chunks', file), { force: true })

await buildPage()
for (const name of process.argv.slice(2)) {
  if (!Object.hasOwn(extras, name)) throw new Error(`unknown: ${name}; known: ${Object.keys(extras).join(', ')}`)
  await extras[name]()
}
