import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { printedUrl } from '../kit/service/printed-url.ts'

export const run = promisify(execFile)
/** The project's folder, from here or from a chunk of the built bench. */
export const root = fileURLToPath(new URL('../../', import.meta.url.replace('/chunks/', '/')))

/** What the package is made of. */
const SOURCES = [
  ...['client', 'server', 'shared', 'package.json', 'tsconfig.json'],
  ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
]

export interface Packed {
  /** The tarball. */
  readonly file: string
  /** Paths of the files in it. */
  readonly paths: readonly string[]
  readonly unpackedBytes: number
  remove(): Promise<void>
}

/**
 * Runs `npm pack` in a copy of the sources, so that other tests find `dist/` as it is. `takesClient`: the client, whose declarations take the most time, is taken
 * from the project's own `dist/` if that is made of the same sources.
 */
export const packProject = async (takesClient = false): Promise<Packed> => {
  const folder = await mkdtemp(join(tmpdir(), 'tonway-pack-'))
  for (const source of SOURCES) await cp(join(root, source), join(folder, source), { recursive: true })
  const client = 'dist/client'
  if (takesClient && existsSync(join(root, client))) await cp(join(root, client), join(folder, client), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await run('npm', ['pack', '--json', '--silent'], { cwd: folder, maxBuffer: 64 << 20 })
  const [{ filename, files, unpackedSize }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[]; readonly unpackedSize: number },
  ]
  return {
    file: join(folder, filename),
    paths: files.map(({ path }) => path),
    unpackedBytes: unpackedSize,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Installs tarballs in an empty folder as a user does. Without scripts, because some package managers run none. */
export const installInto = async (folder: string, tarballs: readonly string[]): Promise<void> => {
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', ...flags, ...tarballs], { cwd: folder })
}

/** Starts `npx tonway` in a folder where it is installed, without settings from outside. Resolves when it listens. */
export const startByNpx = async (folder: string, argv: readonly string[]): Promise<{ readonly url: string; end(): Promise<void> }> => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TONWAY_')))
  const child = spawn('npx', ['--offline', 'tonway', '--port', '0', ...argv], { cwd: folder, env, detached: true })
  const closed = once(child, 'close')
  return {
    url: await printedUrl(child),
    async end() {
      // Both npx and the program that it started.
      process.kill(-child.pid!, 'SIGTERM')
      await closed
    },
  }
}
