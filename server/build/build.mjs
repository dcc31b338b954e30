// Builds into dist/ with esbuild. `node server/build/build.mjs` makes the service with its page, which is all that `npm start` needs; with names it makes more:
// `client` the client's package (dist/client), `package` what `import 'tonway'` needs besides, `bench`, `fuzz` and `oracle` the long-running test programs.
// `bare` leaves source maps out, for `npm pack`.
// Packages stay outside the bundles.
import { existsSync } from 'node:fs'

const installed = await import('esbuild').then(
  () => true,
  () => false,
)
if (installed) await (await import('./service.mjs')).buildAll(process.argv.slice(2))
else if (!existsSync('dist/server/main.js')) {
  console.error('dist/ is not built, and esbuild, which builds it, is not installed: run `npm install` without --omit=dev')
  process.exitCode = 1
}
