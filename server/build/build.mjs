// Builds into dist/ with esbuild. `node server/build/build.mjs` builds the service and its page, which is all that `npm start` needs. Names of further builds
// can be given: `client` is the client's package (dist/client), `package` is what `import 'tonway'` needs in addition, and `bench`, `conformance`, `fuzz`,
// `oracle`, `suites`, `torture` and `index-go` are long-running test programs. `bare` omits source maps, for `npm pack`. Packages are not bundled, except a few
// that need less memory in a bundle (service.mjs).
import { existsSync } from 'node:fs'

const installed = await import('esbuild').then(
  () => true,
  () => false,
)
const names = process.argv.slice(2)
if (installed) await (await import('./service.mjs')).buildAll(names)
else if (!existsSync('dist/server/main.js')) {
  console.error('dist/ is not built, and esbuild, which builds it, is not installed: run `npm install` without --omit=dev')
  process.exitCode = 1
} else if (existsSync('server/main.ts')) {
  // A named build is for a package or a test, which must match these sources, so this is an error. `npm start` can continue with an existing build.
  if (names.length > 0) {
    console.error('esbuild, which builds dist/, is not installed: run `npm install` without --omit=dev')
    process.exitCode = 1
  } else console.error('dist/ may be older than the sources: esbuild is not installed')
}
