import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { projectFolder } from '../project.ts'
import { printedUrl } from './printed-url.ts'

/* The service as a separate process, from dist/, which vitest has brought up to date (kit/built.ts). */

export interface BuiltService {
  /** The folder of the build: `dist/`. Nobody changes it. */
  readonly folder: string
  /**
   * Starts the service. `ready` resolves with its URL when it is printed, and rejects if the process ends before. `from`: a copy of `folder`. `uid`: the user
   * that it runs as, for tests that root runs.
   */
  start(
    argv: readonly string[],
    options?: { readonly env?: Record<string, string>; readonly cwd?: string; readonly from?: string; readonly uid?: number },
  ): Started
}

export interface Started {
  readonly child: ChildProcess
  readonly ready: Promise<string>
  /** Exit code and all output. Rejects if a promise of the service was rejected and nobody handled it. */
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>
}

const folder = join(projectFolder, 'dist')
const rejections = pathToFileURL(join(projectFolder, 'test/kit/service/rejections.mjs')).href

/** The built service. */
export const builtService: BuiltService = {
  folder,
  start(argv, { env = {}, cwd = tmpdir(), from = folder, uid } = {}) {
    const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TONWAY_')))
    const child = spawn(process.execPath, [join(from, 'server/main.js'), ...argv], {
      cwd,
      ...(uid !== undefined && { uid, gid: uid }),
      env: { ...inherited, ...env, NODE_OPTIONS: `--import=${rejections} ${env['NODE_OPTIONS'] ?? inherited['NODE_OPTIONS'] ?? ''}` },
    })
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
    const ended = once(child, 'close').then(([code]) => {
      // A test that does not wait for this fails too, because then this rejection is one that nobody handles.
      if (err.includes('UNHANDLED REJECTION')) throw new Error(err)
      return { code: code as number | null, out, err }
    })
    const ready = printedUrl(child)
    ready.catch(() => {})
    return { child, ready, ended }
  },
}

/** A service for all tests of a file, whose embedded chain makes blocks for messages alone. It is killed at the end: a test may have left it deaf. */
export const serviceOfFile = (env: Record<string, string> = {}): { readonly url: string; readonly pid: number } => {
  const service = { url: '', pid: 0 }
  let started: Started | undefined
  beforeAll(async () => {
    started = builtService.start(['--port', '0', '--liteserver-port', 'off', '--block-time', '0', '--log', 'error'], { env })
    service.pid = started.child.pid!
    service.url = await started.ready
  })
  afterAll(async () => {
    started?.child.kill('SIGKILL')
    await started?.ended
  })
  return service
}

/** Processes that a process has begun, by what they run. */
export const childrenOf = (pid: number, what: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const parent = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
        return parent[1] === String(pid) && parent[0] !== 'Z' && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(what)
      } catch {
        return false
      }
    })
    .map(Number)
