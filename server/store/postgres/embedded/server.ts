import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { type Binaries, findBinaries } from './binaries.ts'
import { claimPlace } from './claim.ts'
import { keptPlace, type Place, temporaryPlace } from './place.ts'
import { clusterProcess, endProcess } from './postmaster.ts'
import { type ServerUser, serverUser } from './server-user.ts'
import { keepTemplate, templateFile, unpackTemplate } from './template.ts'

export interface EmbeddedOptions {
  /** Directory that keeps the cluster. Undefined means a directory for this process only. */
  readonly dataDir?: string | undefined
  /** Largest number of connections. */
  readonly connections?: number
  /** Cancels the start: everything already started is ended, and the promise rejects. */
  readonly signal?: AbortSignal | undefined
}

/** A running embedded PostgreSQL. */
export interface EmbeddedServer {
  readonly connection: ClientConfig
  readonly pid: number
  /** Whether its cluster was created by this start. */
  readonly isNew: boolean
  /** Resolves with a text if the server ends by itself. */
  readonly lost: Promise<string>
  close(): Promise<void>
}

const ROLE = 'tonway'
const DATABASE = 'tonway'
const PATIENCE = 30_000
const CONNECTIONS = 64

/** Settings of every cluster. Only this user and root can use its socket. */
const settings = (place: Place, connections: number): Readonly<Record<string, string>> => ({
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
  max_wal_size: place.kept ? '1GB' : '256MB',
  log_destination: 'stderr',
  logging_collector: 'off',
  // A cluster that is not kept need not survive a power failure.
  ...(!place.kept && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
})

const lastLines = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').slice(-4).join(' | ')
  } catch {
    return ''
  }
}

const ended = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 0))
  })

const environment = { LC_ALL: 'C', PATH: process.env.PATH ?? '/usr/bin:/bin', TZ: 'UTC' }

/** An empty directory that PostgreSQL's user can write. */
const emptyDirectory = (path: string, user: ServerUser | undefined): void => {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { mode: 0o700 })
  if (user) chownSync(path, user.uid, user.gid)
}

const runInitdb = async (
  { initdb }: Binaries,
  place: Place,
  cluster: string,
  user: ServerUser | undefined,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const secret = join(place.path, 'initial')
  writeFileSync(secret, place.password, { mode: 0o600 })
  if (user) chownSync(secret, user.uid, user.gid)
  const log = openSync(place.log, 'a', 0o600)
  try {
    const args = ['-D', cluster, '-U', ROLE, '--auth=scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '--locale=C', '--no-instructions']
    if (!place.kept) args.push('--no-sync')
    const child = spawn(initdb, args, {
      cwd: place.path,
      stdio: ['ignore', log, log],
      env: environment,
      ...(user && { uid: user.uid, gid: user.gid }),
    })
    const stop = (): void => void child.kill('SIGTERM')
    signal?.addEventListener('abort', stop)
    const code = await ended(child)
    signal?.removeEventListener('abort', stop)
    signal?.throwIfAborted()
    if (code !== 0) throw new Error(`initdb of the embedded PostgreSQL failed (${code}): ${lastLines(place.log)}`)
  } finally {
    closeSync(log)
    rmSync(secret, { force: true })
  }
}

/** Creates the cluster of a place and returns the password of its role. A cluster that is not kept is unpacked from a template if there is one. */
const initialize = async (
  binaries: Binaries,
  place: Place,
  user: ServerUser | undefined,
  signal: AbortSignal | undefined,
): Promise<string> => {
  // Created under another name and then renamed, so that a killed start leaves no incomplete cluster.
  const fresh = join(place.path, 'new')
  const template = place.kept ? undefined : templateFile(dirname(place.path), binaries.version)
  emptyDirectory(fresh, user)
  let password = template && (await unpackTemplate(template, fresh, user))
  signal?.throwIfAborted()
  if (password === undefined) {
    password = place.password
    emptyDirectory(fresh, user)
    await runInitdb(binaries, place, fresh, user, signal)
    if (template !== undefined) await keepTemplate(template, fresh, password, user)
  }
  renameSync(fresh, place.cluster)
  return password
}

/** Connection settings of one of our clusters. */
const connectionOf = (place: Pick<Place, 'socket' | 'password'>, database = DATABASE): ClientConfig => ({
  host: place.socket,
  user: ROLE,
  password: place.password,
  database,
})

const tryConnect = async (place: Place, database: string): Promise<Client> => {
  const client = new Client({ ...connectionOf(place, database), connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

const makeDatabase = async (place: Place): Promise<void> => {
  const client = await tryConnect(place, 'postgres')
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

/*
 * Starts the server through a shell. The shell reads standard input, which closes when this process ends for any reason, and then stops the server.
 * `detached`, so that Ctrl-C in a terminal reaches only this process. PostgreSQL sets its own signal handlers, so running in the background is safe.
 */
const WATCH = `exec 3<&0; "$@" 3<&- & pid=$!
(read -r _ <&3; kill -$STOP $pid) 2>/dev/null & watch=$!
wait $pid; code=$?; kill $watch 2>/dev/null; exit $code`

const launch = ({ postgres }: Binaries, place: Place, user: ServerUser | undefined, connections: number): ChildProcess => {
  const log = openSync(place.log, 'a', 0o600)
  try {
    const args = Object.entries(settings(place, connections)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn('/bin/sh', ['-c', WATCH, 'sh', postgres, '-D', place.cluster, ...args], {
      cwd: place.cluster,
      stdio: ['pipe', log, log],
      detached: true,
      env: { ...environment, STOP: place.kept ? 'INT' : 'QUIT' },
      ...(user && { uid: user.uid, gid: user.gid }),
    })
    child.stdin?.on('error', () => {})
    return child
  } finally {
    closeSync(log)
  }
}

/** Waits until the server answers. If it ends instead, throws with the end of its log. */
const untilReady = async (place: Place, exit: Promise<number | string>, signal: AbortSignal | undefined): Promise<void> => {
  let code: number | string | undefined
  void exit.then((value) => {
    code = value
  })
  for (const start = Date.now(); ; await sleep(15)) {
    signal?.throwIfAborted()
    if (code !== undefined) throw new Error(`the embedded PostgreSQL ended at its start (${code}): ${lastLines(place.log)}`)
    try {
      await (await tryConnect(place, 'postgres')).end()
      return
    } catch (cause) {
      if (Date.now() - start > PATIENCE) throw new Error(`the embedded PostgreSQL does not answer: ${lastLines(place.log)}`, { cause })
    }
  }
}

const checkVersion = (place: Place, { major }: Binaries): void => {
  const found = readFileSync(join(place.cluster, 'PG_VERSION'), 'utf8').trim()
  if (found !== major) {
    throw new Error(
      `${place.cluster} was made by PostgreSQL ${found}, and this is ${major}: move it away to index anew, or set DATABASE_URL to a server of that version`,
    )
  }
}

/** Log lines of a start that can be tried again: the child processes of a killed server keep its shared memory and lock files for a moment. */
const STILL_TAKEN = /shared memory block .* is still in use|lock file .* already exists/
const LAUNCHES = 20
const BETWEEN_LAUNCHES = 250

/** Starts the server and waits until it answers. Retries if the cluster is not free yet. */
const launched = async (
  binaries: Binaries,
  place: Place,
  user: ServerUser | undefined,
  connections: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly child: ChildProcess; readonly exit: Promise<number | string> }> => {
  for (let left = LAUNCHES; ; left--) {
    const child = launch(binaries, place, user, connections)
    const exit = ended(child)
    try {
      await untilReady(place, exit, signal)
      return { child, exit }
    } catch (error) {
      child.stdin?.end()
      await exit
      if (left === 0 || !STILL_TAKEN.test((error as Error).message)) throw error
      await sleep(BETWEEN_LAUNCHES, undefined, { ...(signal && { signal }) })
    }
  }
}

/** Starts PostgreSQL and returns the connection to it. An orphaned server of the same directory is stopped first, so that it writes its checkpoint. */
export const startEmbedded = async ({ dataDir, connections = CONNECTIONS, signal }: EmbeddedOptions): Promise<EmbeddedServer> => {
  const user = serverUser()
  const binaries = findBinaries(user)
  let place = dataDir === undefined ? await temporaryPlace(user) : keptPlace(dataDir, user)
  let leave = (): void => {}
  const release = (): void => {
    place.release()
    leave()
  }
  try {
    if (place.kept) leave = await claimPlace(place.path, signal)
    signal?.throwIfAborted()
    const isNew = !existsSync(join(place.cluster, 'PG_VERSION'))
    if (isNew) place = { ...place, password: await initialize(binaries, place, user, signal) }
    checkVersion(place, binaries)
    const orphan = clusterProcess(place.cluster)
    if (orphan !== undefined) await endProcess(orphan, 'SIGINT', 10_000)
    const { child, exit } = await launched(binaries, place, user, connections, signal).catch((error: unknown) => {
      // The template may be damaged, so the next start runs initdb again.
      if (isNew && !place.kept && !signal?.aborted) rmSync(templateFile(dirname(place.path), binaries.version), { force: true })
      throw error
    })
    try {
      await makeDatabase(place)
    } catch (error) {
      child.stdin?.end()
      await exit
      throw error
    }
    let closing = false
    return {
      connection: connectionOf(place, DATABASE),
      isNew,
      pid: clusterProcess(place.cluster) ?? 0,
      lost: exit.then((code) =>
        closing ? new Promise<never>(() => {}) : `the embedded PostgreSQL ended (${code}): ${lastLines(place.log)}`,
      ),
      async close() {
        closing = true
        child.stdin?.end()
        await exit
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Connection to the embedded PostgreSQL that another process (a running service) has in this data directory; undefined if none runs.
 * startEmbedded would end that server.
 */
export const attachEmbedded = (dataDir: string): ClientConfig | undefined => {
  const path = join(resolve(dataDir), 'postgres')
  const cluster = join(path, 'cluster')
  if (clusterProcess(cluster) === undefined) return undefined
  // The fifth line is the socket's directory. It is elsewhere if the data directory's path is long.
  const socket = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[4]
  if (!socket) return undefined
  return connectionOf({ socket, password: readFileSync(join(path, 'password'), 'utf8') })
}
