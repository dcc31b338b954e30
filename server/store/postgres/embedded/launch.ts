import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { errorCode } from '../faults.ts'
import type { Binaries } from './binaries.ts'
import type { ClusterDirectory } from './cluster-directory.ts'
import { spawnWatched } from './end-with-parent.ts'

export const ROLE = 'tonway'
export const DATABASE = 'tonway'
const PATIENCE = 30_000
const CONNECTIONS = 64

/** Server settings of a cluster. Only PostgreSQL's user and root can open the socket. */
const settings = (place: ClusterDirectory, { connections = CONNECTIONS, isTemplate }: Launch): Readonly<Record<string, string>> => ({
  listen_addresses: '',
  unix_socket_directories: place.socket,
  unix_socket_permissions: '0700',
  max_connections: String(connections),
  shared_buffers: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  io_method: 'sync',
  random_page_cost: '1.1',
  max_wal_size: place.isPersistent ? '1GB' : '256MB',
  // Recycled WAL segments would make the template larger.
  ...(isTemplate && { min_wal_size: '2MB', max_wal_size: '2MB' }),
  log_destination: 'stderr',
  logging_collector: 'off',
  // A temporary cluster need not survive a power failure, so it does not sync to disk.
  ...(!place.isPersistent && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
})

/** The last lines of a log, without SQL: a long statement stands after the line that says why it failed. */
export const lastLines = (file: string): string => {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    const withoutSql = lines.filter((line) => !/^\t|STATEMENT: /.test(line))
    return withoutSql.slice(-4).join(' | ')
  } catch {
    return ''
  }
}

/** Resolves with the exit code, the signal, or the reason why the process could not be started. */
export const ended = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 0))
  })

export const connectionOf = (place: Pick<ClusterDirectory, 'socket' | 'password'>): ClientConfig => ({
  host: place.socket,
  user: ROLE,
  password: place.password,
  database: DATABASE,
})

/** Connects to the database that initdb creates in every cluster. */
export const tryConnect = async (place: ClusterDirectory): Promise<Client> => {
  const client = new Client({ ...connectionOf(place), database: 'postgres', connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

interface Launch {
  readonly connections?: number | undefined
  /** True: the cluster becomes a template, so its server is stopped with a checkpoint. */
  readonly isTemplate?: boolean
  readonly signal: AbortSignal | undefined
}

const launch = ({ postgres }: Binaries, place: ClusterDirectory, how: Launch): ChildProcess => {
  const log = openSync(place.log, 'a', 0o600)
  try {
    const args = Object.entries(settings(place, how)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // SIGINT stops the server with a checkpoint. A temporary cluster needs none, so SIGQUIT stops it at once.
    const stop = place.isPersistent || how.isTemplate ? 'INT' : 'QUIT'
    return spawnWatched(postgres, ['-D', place.cluster, ...args], { cwd: place.cluster, stop, log, user: place.user })
  } finally {
    closeSync(log)
  }
}

/** Waits until the server accepts connections. Throws with the last lines of the server's log if the server ends before. */
const untilReady = async (place: ClusterDirectory, exit: Promise<number | string>, { signal }: Launch): Promise<void> => {
  let code: number | string | undefined
  void exit.then((value) => {
    code = value
  })
  for (const start = Date.now(); ; await sleep(15)) {
    signal?.throwIfAborted()
    if (code !== undefined) throw new Error(`the embedded PostgreSQL ended at its start (${code}): ${lastLines(place.log)}`)
    try {
      await (await tryConnect(place)).end()
      return
    } catch (cause) {
      // An empty password is refused by the driver, whose connection stays open: the next tries would only fill the server.
      if (errorCode(cause) === '28P01' || (cause as Error).message.startsWith('SASL'))
        throw new Error(`${place.path}/password is not the password of this embedded PostgreSQL: put a copy of the file in its place`, {
          cause,
        })
      if (Date.now() - start > PATIENCE) throw new Error(`the embedded PostgreSQL does not answer: ${lastLines(place.log)}`, { cause })
    }
  }
}

/** Log lines after which a start is retried: for a moment the child processes of a killed server still use its shared memory and lock files. */
const STILL_TAKEN = /shared memory block .* is still in use|lock file .* already exists/
const LAUNCHES = 20
const BETWEEN_LAUNCHES = 250

/** Starts the server and waits until it accepts connections. Retries while child processes of an earlier server still use the cluster. */
export const launched = async (binaries: Binaries, place: ClusterDirectory, how: Launch) => {
  for (let left = LAUNCHES; ; left--) {
    const child = launch(binaries, place, how)
    const exit = ended(child)
    const stop = (): Promise<unknown> => {
      child.stdin?.end()
      return exit
    }
    try {
      await untilReady(place, exit, how)
      // `exit` resolves with the exit code, or the signal, when the server has ended.
      return { exit, stop }
    } catch (error) {
      await stop()
      if (left === 0 || !STILL_TAKEN.test((error as Error).message)) throw error
      await sleep(BETWEEN_LAUNCHES, undefined, { ...(how.signal && { signal: how.signal }) })
    }
  }
}
