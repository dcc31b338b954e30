// Builds dist/page: the page that the service shows at `/`. File names contain a hash of the content, so that browsers can cache the files for ever.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licensesText, packagesIn } from './licenses.mjs'
import { isCurrent, stampOf } from './stamp.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'client/page')
const place = join(root, 'dist/page')

/** All sources of the page. */
const SOURCES = ['server/build/page.mjs', 'server/build/licenses.mjs', 'package.json', 'client']

const bundle = (outdir) =>
  build({
    absWorkingDir: root,
    entryPoints: { page: join(source, 'main.tsx'), style: join(source, 'style/page.css'), icon: join(source, 'style/icon.svg') },
    outdir,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox128', 'safari17.5'],
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
  })

/** Writes index.html, with the file names of the bundle. */
const writeIndex = (outdir, { outputs }) => {
  const nameOf = (entry) =>
    basename(Object.entries(outputs).find(([file, { entryPoint }]) => entryPoint?.endsWith(entry) && !file.endsWith('.js.css'))[0])
  const names = {
    script: nameOf('main.tsx'),
    style: nameOf('page.css'),
    icon: basename(Object.keys(outputs).find((file) => file.endsWith('.svg'))),
  }
  const html = readFileSync(join(source, 'index.html'), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => names[name])
  writeFileSync(join(outdir, 'index.html'), html)
}

/** Builds the page if it is not up to date. */
export const buildPage = async () => {
  const stamp = stampOf(SOURCES)
  if (isCurrent(join(place, '.stamp'), stamp)) return
  // The page is built in a temporary folder and then renamed, so that a service that starts meanwhile finds either a complete page or none.
  const out = join(root, `dist/.page-${process.pid}`)
  mkdirSync(out, { recursive: true })
  try {
    const { metafile } = await bundle(out)
    writeIndex(out, metafile)
    writeFileSync(join(out, 'LICENSES.txt'), licensesText(packagesIn(metafile)))
    writeFileSync(join(out, '.stamp'), stamp)
    rmSync(place, { recursive: true, force: true })
    renameSync(out, place)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage()
