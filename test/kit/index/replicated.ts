import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { findBinaries } from '../../../server/store/postgres/embedded/binaries.ts'
import { environment, spawnWatched } from '../../../server/store/postgres/embedded/end-with-parent.ts'
import { clusterProcess } from '../../../server/store/postgres/embedded/postmaster.ts'
import { type ServerUser, serverUser } from '../../../server/store/postgres/embedded/server-user.ts'
import { freePort } from '../free-port.ts'
import { until } from '../wait.ts'

/* A primary and its hot standbys: real PostgreSQL processes, replicated as in production. */

const ROLE = 'postgres'
/** The database of every node. */
const DATABASE = 'tonway'

/** One running server. */
export interface Node {
  /** URL of its database. */
  readonly url: string
  readonly port: number
  run<R = Record<string, unknown>>(text: string, values?: readonly unknown[], database?: string): Promise<R[]>
  /** Signals the server process; SIGSTOP makes it silent and SIGCONT heals it. */
  signal(name: 'SIGKILL' | 'SIGINT' | 'SIGSTOP' | 'SIGCONT'): void
  /** Kills the server and its processes at once, as a machine that is gone. */
  kill(): Promise<void>
  /** Starts it again after a kill. */
  start(): Promise<void>
}

export interface Replicated {
  readonly primary: Node
  readonly standbys: readonly Node[]
  /** Waits until every standby has replayed what the primary has written. */
  replayed(): Promise<void>
  close(): Promise<void>
}

const COMMON = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '32MB',
  wal_level: 'replica',
  hot_standby: 'on',
  max_wal_senders: '10',
  io_method: 'sync',
  jit: 'off',
  // A standby asks soon again for a primary that was away, and cancels a read that is in its way at once.
  wal_retrieve_retry_interval: '100ms',
  max_standby_streaming_delay: '0',
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const createNode = (postgres: string, directory: string, port: number, settings: object, user: ServerUser | undefined): Node => {
  const url = `postgres://${ROLE}@127.0.0.1:${port}/${DATABASE}`
  let child: ChildProcess | undefined
  let over: Promise<unknown> = Promise.resolve()
  const run = async <R>(text: string, values?: readonly unknown[], database = DATABASE): Promise<R[]> => {
    const client = new Client({ connectionString: url.replace(/[^/]*$/, database) })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text, values as unknown[] | undefined)).rows as R[]
    } finally {
      await client.end().catch(() => {})
    }
  }
  return {
    url,
    port,
    run,
    signal(name) {
      const main = clusterProcess(directory)
      if (main === undefined) return
      // Each of its processes is in a process group of its own.
      for (const pid of [main, ...childrenOf(main)]) {
        try {
          process.kill(pid, name)
        } catch {
          // It is gone already.
        }
      }
    },
    async kill() {
      this.signal('SIGCONT')
      this.signal('SIGKILL')
      child?.stdin?.end()
      await over
    },
    async start() {
      const args = Object.entries({ ...COMMON, ...settings, port: String(port) }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      child = spawnWatched(postgres, ['-D', directory, ...args], { cwd: directory, stop: 'QUIT', log: 'ignore', user })
      const begun = child
      over = new Promise((resolve) => begun.once('exit', resolve))
      await until(async () => {
        if (begun.exitCode !== null) throw new Error(`PostgreSQL in ${directory} ended with ${begun.exitCode}`)
        return run('select', [], 'postgres').then(
          () => true,
          () => false,
        )
      }, 20)
    },
  }
}

const initialize = async (initdb: string, directory: string, user: ServerUser | undefined): Promise<void> => {
  const args = ['-D', directory, '-U', ROLE, '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-instructions', '--no-sync']
  const child = spawn(initdb, args, { cwd: '/', stdio: 'ignore', env: environment, ...(user && { uid: user.uid, gid: user.gid }) })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`initdb failed with ${code}`)
}

const chownAll = (directory: string, user: ServerUser | undefined): void => {
  chmodSync(directory, 0o700)
  if (!user) return
  for (const name of ['', ...(readdirSync(directory, { recursive: true }) as string[])])
    chownSync(join(directory, name), user.uid, user.gid)
}

/** Starts a primary with an empty database and as many hot standbys of it. */
export const startReplicated = async (count: number): Promise<Replicated> => {
  const user = serverUser()
  const { initdb, postgres } = findBinaries(user)
  const parent = mkdtempSync(join(tmpdir(), 'tonway-replicated-'))
  if (user) chownSync(parent, user.uid, user.gid)
  const nodes: Node[] = []
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    rmSync(parent, { recursive: true, force: true })
  }
  try {
    const first = join(parent, 'primary')
    await initialize(initdb, first, user)
    // Replication is let in as everything else is: by trust, from this machine.
    const port = await freePort()
    // A copy of a cluster that does not run is a base backup.
    const directories = Array.from({ length: count }, (_, i) => join(parent, `standby${i + 1}`))
    for (const directory of directories) {
      cpSync(first, directory, { recursive: true })
      writeFileSync(join(directory, 'standby.signal'), '')
      chownAll(directory, user)
    }
    const primary = createNode(postgres, first, port, { fsync: 'off' }, user)
    nodes.push(primary)
    await primary.start()
    await primary.run(`create database ${DATABASE}`, [], 'postgres')
    const standbys: Node[] = []
    for (const directory of directories) {
      const settings = { fsync: 'off', primary_conninfo: `host=127.0.0.1 port=${port} user=${ROLE}` }
      const standby = createNode(postgres, directory, await freePort(), settings, user)
      nodes.push(standby)
      standbys.push(standby)
      await standby.start()
    }
    return {
      primary,
      standbys,
      async replayed() {
        const [row] = await primary.run<{ wal: string }>('select pg_current_wal_lsn()::text as wal')
        for (const standby of standbys)
          await until(async () => {
            // A standby that has not come far enough has no database of that name yet.
            const [is] = await standby.run<{ done: boolean }>(
              'select pg_last_wal_replay_lsn() >= $1::pg_lsn as done',
              [row!.wal],
              'postgres',
            )
            return is?.done === true
          })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
