import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtService, type Started } from '../kit/service/process.ts'
import type { LiteServer } from './lite-server.ts'

/* The built service as a process, with a directory of its own. Only its URL, its signals and its commands are used. */

/** Milliseconds in which a service ends after a signal. Then it is killed, so that the line fails, and says so. */
const END_TIME = 120_000

export interface StationOptions {
  /** Its settings, besides the directory and the port. */
  readonly settings: readonly string[]
  readonly env?: Record<string, string>
  /** The folder in which its directory is made; by default the temporary one. */
  readonly within?: string
  /** Its port; by default a free one at each start. */
  readonly port?: number
}

export interface Station {
  /** Its URL, which is another one after each start. */
  url(): string
  pid(): number
  dataDir: string
  /** Starts it, and waits until it listens. */
  start(): Promise<string>
  kill(): Promise<void>
  /** Ends it in order. Throws if it does not end with code 0. */
  stop(): Promise<void>
  /** Runs a command of the service on the same settings. Throws unless it ends with code 0; returns what it printed. */
  command(...words: readonly string[]): Promise<string>
  /** Stops the service and derives every row again. Throws if one differs, or if the log of its own chain is damaged. */
  verify(): Promise<void>
  close(): Promise<void>
}

export const createStation = ({ settings, env = {}, within = tmpdir(), port = 0 }: StationOptions): Station => {
  const folder = mkdtempSync(join(within, 'tonway-torture-'))
  // Started as root, the embedded PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o711)
  const dataDir = join(folder, 'data')
  const own = ['--data-dir', dataDir, '--tvm-workers', '1', '--log', 'error', ...settings]
  let running: Started | undefined
  let url = ''
  const end = async (signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly err: string }> => {
    const ended = running
    running = undefined
    if (ended === undefined) return { code: 0, err: '' }
    ended.child.kill(signal)
    const late = setTimeout(() => ended.child.kill('SIGKILL'), END_TIME)
    try {
      return await ended.ended
    } finally {
      clearTimeout(late)
    }
  }
  const command = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await builtService.start([...words, ...own], { env }).ended
    if (code !== 0) throw new Error(`tonway ${words.join(' ')} ended with ${code}: ${out}${err}`)
    return out
  }
  return {
    url: () => url,
    pid: () => running!.child.pid!,
    dataDir,
    async start() {
      running = builtService.start(['--port', String(port), ...own], { env })
      url = await running.ready
      return url
    },
    kill: async () => void (await end('SIGKILL')),
    async stop() {
      const { code, err } = await end('SIGTERM')
      if (code !== 0)
        throw new Error(code === null ? `the service did not end within ${END_TIME} ms: ${err}` : `the service ended with ${code}: ${err}`)
    },
    command,
    async verify() {
      await this.stop()
      if (!settings.includes('--network')) await command('repair', '--check')
      const said = await command('verify')
      if (!/ 0 differences/.test(said)) throw new Error(said)
    },
    async close() {
      await end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A service that follows a network through lite-servers. `validator`: the blocks that it trusts, as a global config names them. */
export const createFollower = (validator: object, servers: readonly LiteServer[]): Station => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-follower-'))
  const file = join(folder, 'global.config.json')
  const liteservers = servers.map(({ port, key }) => ({ ip: 0x7f000001, port, id: { key } }))
  writeFileSync(file, JSON.stringify({ liteservers, validator }))
  const settings = [
    '--network',
    'copy',
    '--global-config',
    file,
    '--index',
    'off',
    '--liteserver-port',
    'off',
    '--anonymous-rps',
    'unlimited',
  ]
  const station = createStation({ settings })
  return {
    ...station,
    async close() {
      await station.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
