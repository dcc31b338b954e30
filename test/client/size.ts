import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** The project's folder, from test/client and from dist/test alike. */
export const root = ['../..', '..', '../../..']
  .map((up) => fileURLToPath(new URL(`${up}/`, import.meta.url)))
  .find((folder) => existsSync(`${folder}package.json`))!

/** Bytes of a program as a browser gets it: bundled by esbuild, minified, ES modules, es2022, gzip -9. */
export const browserSize = async (contents: string, resolveDir = root): Promise<{ minified: number; gzipped: number }> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
    write: false,
  })
  const bytes = outputFiles[0]!.contents
  return { minified: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length }
}
