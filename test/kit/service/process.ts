import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { PROGRAMS } from '../../../server/build/programs.mjs'
import { tolkForEsbuild } from '../../../server/build/tolk.mjs'
import { projectFolder } from '../project.ts'
import { printedUrl } from './printed-url.ts'

/* The service as a separate process, built from the current sources (dist/ can be older or in the middle of a build). */

const root = `${projectFolder}/`

export interface BuiltService {
  /** The folder of the build, with the layout of `dist/`. */
  readonly folder: string
  /** Starts the service. `ready` resolves with its URL when it is printed, and rejects if the process ends before. `from`: a copy of `folder`. */
  start(
    argv: readonly string[],
    options?: { readonly env?: Record<string, string>; readonly cwd?: string; readonly from?: string },
  ): Started
  remove(): void
}

export interface Started {
  readonly child: ChildProcess
  readonly ready: Promise<string>
  /** Exit code and all output. */
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>
}

/** Builds the server and its workers into a new folder for the caller. */
export const buildService = async (): Promise<BuiltService> => {
  const folder = mkdtempSync(join(root, 'node_modules', '.tonway-test-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  await build({
    entryPoints: Object.fromEntries(Object.entries(PROGRAMS).map(([name, source]) => [name, root + source])),
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'server/chunks/[name]-[hash]',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    plugins: [tolkForEsbuild],
    logLevel: 'warning',
  }).catch((error: unknown) => {
    remove()
    throw error
  })
  return {
    folder,
    start(argv, { env = {}, cwd = folder, from = folder } = {}) {
      const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TONWAY_')))
      const child = spawn(process.execPath, [join(from, 'server/main.js'), ...argv], { cwd, env: { ...inherited, ...env } })
      // A test that is given up, for example in its beforeAll, does not leave it running beside the tests that follow.
      const kill = (): void => void child.kill('SIGKILL')
      process.once('exit', kill)
      child.once('exit', () => process.off('exit', kill))
      let out = ''
      let err = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      child.stderr.on('data', (chunk) => {
        err += chunk
      })
      const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }))
      const ready = printedUrl(child)
      ready.catch(() => {})
      return { child, ready, ended }
    },
    remove,
  }
}
