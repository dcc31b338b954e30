// Builds the code of `import 'tonway'` into one file of CommonJS, so that it can be compiled as a whole and V8's result can be kept (server/start/load/).
import { basename } from 'node:path'
import { build } from 'esbuild'

/** Builds the file; returns its name, which has a hash of its content, and esbuild's list of what it wrote. `options`: those that all builds of the service share. */
export const buildStart = async (options) => {
  const { metafile } = await build({
    ...options,
    entryPoints: { 'server/start/bundle': 'server/start/bundle.ts' },
    outdir: 'dist',
    entryNames: '[dir]/[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    inject: ['server/build/import-meta-url.mjs'],
    define: { 'import.meta.url': 'importMetaUrl' },
    metafile: true,
  })
  const [file] = Object.keys(metafile.outputs).filter((name) => name.endsWith('.cjs'))
  return { name: basename(file), metafile }
}
