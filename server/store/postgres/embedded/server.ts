import { spawn } from 'node:child_process'
import { addAbortListener } from 'node:events'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ClientConfig } from 'pg'
import { migrate } from '../../migrate.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { claimPlace } from './claim.ts'
import { type ClusterDirectory, persistentDirectory, temporaryDirectory } from './cluster-directory.ts'
import { environment } from './end-with-parent.ts'
import { connectionOf, DATABASE, ended, lastLines, launched, ROLE, tryConnect } from './launch.ts'
import { giveCluster } from './ownership.ts'
import { clusterProcess, endProcess } from './postmaster.ts'
import { type ServerUser, serverUser } from './server-user.ts'
import { storeTemplate, templateFile, unpackTemplate } from './template.ts'

export interface EmbeddedOptions {
  /** Data directory of a persistent cluster. Undefined: a temporary cluster for this process. */
  readonly dataDir?: string | undefined
  readonly connections?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type EmbeddedServer = Awaited<ReturnType<typeof startEmbedded>>

const emptyDirectory = (path: string, user: ServerUser | undefined): void => {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { mode: 0o700 })
  if (user) chownSync(path, user.uid, user.gid)
}

const runInitdb = async (
  { initdb }: Binaries,
  place: ClusterDirectory,
  cluster: string,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const { user } = place
  const secret = join(place.path, 'initial')
  writeFileSync(secret, place.password, { mode: 0o600 })
  if (user) chownSync(secret, user.uid, user.gid)
  const log = openSync(place.log, 'a', 0o600)
  try {
    const args = ['-D', cluster, '-U', ROLE, '--auth=scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '--locale=C', '--no-instructions']
    // A new WAL segment is written in full size, and a template contains one, so temporary clusters use the smallest size.
    if (!place.isPersistent) args.push('--no-sync', '--wal-segsize=1')
    const child = spawn(initdb, args, {
      cwd: place.path,
      stdio: ['ignore', log, log],
      env: environment,
      ...(user && { uid: user.uid, gid: user.gid }),
    })
    using _stopped = signal && addAbortListener(signal, () => void child.kill('SIGTERM'))
    const code = await ended(child)
    signal?.throwIfAborted()
    if (code !== 0) throw new Error(`initdb of the embedded PostgreSQL failed (${code}): ${lastLines(place.log)}`)
  } finally {
    closeSync(log)
    rmSync(secret, { force: true })
  }
}

const makeDatabase = async (place: ClusterDirectory): Promise<void> => {
  const client = await tryConnect(place)
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

const checkVersion = (place: ClusterDirectory, { major }: Binaries): void => {
  const found = readFileSync(join(place.cluster, 'PG_VERSION'), 'utf8').trim()
  if (found !== major) {
    throw new Error(
      `${place.cluster} was made by PostgreSQL ${found}, and this is ${major}: move it away to index anew, or set DATABASE_URL to a server of that version`,
    )
  }
}

/** Creates the database with its tables in a new cluster, and stops the server with a checkpoint. */
const fill = async (binaries: Binaries, place: ClusterDirectory, signal: AbortSignal | undefined): Promise<void> => {
  const { stop } = await launched(binaries, place, { isTemplate: true, signal })
  try {
    await makeDatabase(place)
    await migrate(connectionOf(place), undefined, signal)
  } finally {
    await stop()
  }
}

/** Creates a cluster and returns the password of its role. A temporary cluster is unpacked from a template that has the tables of the index. */
const initialize = async (
  binaries: Binaries,
  place: ClusterDirectory,
  template: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> => {
  // The cluster is created under another name and then renamed, so that a killed start leaves no incomplete cluster.
  const fresh = join(place.path, 'new')
  emptyDirectory(fresh, place.user)
  const templatePassword = template && (await unpackTemplate(template, fresh, place.user))
  signal?.throwIfAborted()
  if (templatePassword === undefined) {
    emptyDirectory(fresh, place.user)
    await runInitdb(binaries, place, fresh, signal)
  }
  renameSync(fresh, place.cluster)
  if (templatePassword === undefined && template !== undefined) {
    await fill(binaries, place, signal)
    await storeTemplate(template, place)
  }
  return templatePassword ?? place.password
}

/**
 * Starts PostgreSQL and returns its connection settings. First stops an orphaned server that still uses the directory, so that the orphaned server writes
 * its checkpoint.
 */
export const startEmbedded = async ({ dataDir, connections, signal }: EmbeddedOptions) => {
  const user = serverUser()
  const binaries = findBinaries(user)
  let place = dataDir === undefined ? await temporaryDirectory(user) : persistentDirectory(dataDir, user)
  let leave = (): void => {}
  const release = (): void => {
    place.release()
    leave()
  }
  try {
    if (place.isPersistent) leave = await claimPlace(place.path, signal)
    signal?.throwIfAborted()
    const isNew = !existsSync(join(place.cluster, 'PG_VERSION'))
    const template = place.isPersistent ? undefined : templateFile(dirname(place.path), binaries.version)
    if (isNew) place = { ...place, password: await initialize(binaries, place, template, signal) }
    else if (place.isPersistent) await giveCluster(place.cluster, user)
    checkVersion(place, binaries)
    const orphan = clusterProcess(place.cluster)
    if (orphan !== undefined) await endProcess(orphan, 'SIGINT', 10_000)
    const { exit, stop } = await launched(binaries, place, { connections, signal }).catch((error: unknown) => {
      // The template may be damaged, so the next start runs initdb again.
      if (template !== undefined && !signal?.aborted) rmSync(template, { force: true })
      throw error
    })
    try {
      if (place.isPersistent) await makeDatabase(place)
    } catch (error) {
      await stop()
      throw error
    }
    let closing = false
    return {
      connection: connectionOf(place),
      isNew,
      pid: clusterProcess(place.cluster) ?? 0,
      lost: exit.then((code) =>
        closing ? new Promise<never>(() => {}) : `the embedded PostgreSQL ended (${code}): ${lastLines(place.log)}`,
      ),
      async close(): Promise<void> {
        closing = true
        await stop()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Connection settings of the embedded PostgreSQL that a running service uses in this data directory; undefined if there is none. startEmbedded would stop
 * that server.
 */
export const attachEmbedded = (dataDir: string): ClientConfig | undefined => {
  const path = join(resolve(dataDir), 'postgres')
  const cluster = join(path, 'cluster')
  if (clusterProcess(cluster) === undefined) return undefined
  // The fifth line of postmaster.pid is the socket's directory. If the path of the data directory is long, the socket is in another directory.
  const socket = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[4]
  if (!socket) return undefined
  return connectionOf({ socket, password: readFileSync(join(path, 'password'), 'utf8') })
}
