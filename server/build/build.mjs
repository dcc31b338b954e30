// Builds into dist/ with esbuild. `node server/build/build.mjs` makes the service with its page, which is all that `npm start` needs; with names it makes more:
// `client` the client's package (dist/client), `package` what `import 'tonway'` needs besides, `bench`, `conformance`, `fuzz`, `oracle`, `suites`,
// `torture` and `index-go` the long-running test programs.
// `bare` leaves source maps out, for `npm pack`.
// Packages stay outside the bundles, but for a few that take less memory inside (service.mjs).
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
  // What is named is for a package or a test, which must be of these sources. `npm start` can go on with what is there.
  if (names.length > 0) {
    console.error('esbuild, which builds dist/, is not installed: run `npm install` without --omit=dev')
    process.exitCode = 1
  } else console.error('dist/ may be older than the sources: esbuild is not installed')
}
