// Builds code into single files of CommonJS, so that each can be compiled as a whole and V8's result can be kept (server/base/files/compiled.ts).
import { basename } from 'node:path'
import { build } from 'esbuild'
import { THREADS } from './programs.mjs'

/** Name of a built file (its last part) by the name of its program. */
const namesOf = ({ outputs }) => {
  const files = Object.keys(outputs).filter((name) => name.endsWith('.cjs'))
  return (program) => basename(files.find((name) => name.startsWith(`dist/${program}-`)))
}

const buildFiles = (entryPoints, options) =>
  build({
    ...options,
    entryPoints,
    outdir: 'dist',
    entryNames: '[dir]/[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    inject: ['server/build/import-meta-url.mjs'],
    define: { 'import.meta.url': 'importMetaUrl' },
    metafile: true,
  })

/**
 * Builds the code of `import 'tonway'`; returns its name, which has a hash of its content, and esbuild's list of what it wrote. `options`: those that all builds
 * of the service share.
 */
export const buildStart = async (options) => {
  const { metafile } = await buildFiles({ 'server/start/bundle': 'server/start/bundle.ts' }, options)
  return { name: namesOf(metafile)('server/start/bundle'), metafile }
}

/** Builds the code of THREADS; returns a plugin that makes the programs that load it, and esbuild's list. */
export const buildThreads = async (options) => {
  const { metafile } = await buildFiles(THREADS, options)
  const nameOf = namesOf(metafile)
  const plugin = {
    name: 'compiled-threads',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^compiled:/ }, ({ path }) => ({ path: path.slice('compiled:'.length), namespace: 'compiled' }))
      // A thread starts with its first work.
      onLoad({ filter: /.*/, namespace: 'compiled' }, ({ path }) => ({
        contents: `import { runCompiled } from './server/base/files/compiled.ts'
runCompiled(new URL(${JSON.stringify(`./${nameOf(path)}`)}, import.meta.url)).keepSoon()`,
        resolveDir: process.cwd(),
      }))
    },
  }
  return { entryPoints: Object.fromEntries(Object.keys(THREADS).map((name) => [name, `compiled:${name}`])), plugin, metafile }
}
