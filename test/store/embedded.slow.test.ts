import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlive, machine } from '../../server/base/process-identity.ts'
import { connectionsFor, PAGE_READERS, readersOf } from '../../server/store/postgres/connection-budget.ts'
import { createDatabase } from '../../server/store/postgres/database-server.ts'
import { findBinaries } from '../../server/store/postgres/embedded/binaries.ts'
import { persistentDirectory, temporaryDirectory } from '../../server/store/postgres/embedded/cluster-directory.ts'
import { launched } from '../../server/store/postgres/embedded/launch.ts'
import { clusterProcess } from '../../server/store/postgres/embedded/postmaster.ts'
import { type EmbeddedServer, startEmbedded } from '../../server/store/postgres/embedded/server.ts'
import { closedDirectory, serverUser } from '../../server/store/postgres/embedded/server-user.ts'
import { sleep } from '../kit/wait.ts'

/* The embedded PostgreSQL: started, kept, killed, orphaned, refused. */

const folder = mkdtempSync(join(tmpdir(), 'tonway-test-'))
chmodSync(folder, 0o711)
const dataDir = join(folder, 'data')
const cluster = join(dataDir, 'postgres', 'cluster')
const isRoot = process.getuid?.() === 0

const ask = async (server: EmbeddedServer, text: string): Promise<unknown[]> => {
  const client = new Client(server.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const gone = async (pid: number): Promise<void> => {
  for (let waited = 0; isAlive(pid); waited += 20) {
    if (waited > 10_000) throw new Error(`process ${pid} is there still`)
    await sleep(20)
  }
}

describe('embedded PostgreSQL', () => {
  beforeAll(() => mkdirSync(dataDir, { recursive: true, mode: 0o755 }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('without a data directory nothing is left behind', async () => {
    const server = await startEmbedded({})
    const place = String(server.connection.host)
    expect(await ask(server, 'select current_database() as name')).toEqual([{ name: 'tonway' }])
    await server.close()
    expect(isAlive(server.pid)).toBe(false)
    expect(existsSync(place)).toBe(false)
  })

  it('with a data directory the rows are there at the next start, also after kill -9 of the server', async () => {
    const first = await startEmbedded({ dataDir })
    await ask(first, 'create table kept (n integer)')
    await ask(first, 'insert into kept select generate_series(1, 1000)')
    await first.close()
    const second = await startEmbedded({ dataDir })
    expect(await ask(second, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    await ask(second, 'insert into kept values (1001)')
    process.kill(second.pid, 'SIGKILL')
    expect(await second.lost).toMatch(/ended/)
    await second.close()
    const third = await startEmbedded({ dataDir })
    expect(await ask(third, 'select count(*)::int as n from kept')).toEqual([{ n: 1001 }])
    await third.close()
  })

  it('a server that somebody left running on the directory is stopped, and its data is taken over', async () => {
    const user = serverUser()
    const { postgres } = findBinaries(user)
    const socket = join(dataDir, 'postgres', 'socket')
    const orphan = spawn(postgres, ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${socket}`], {
      cwd: cluster,
      stdio: 'ignore',
      detached: true,
      env: { LC_ALL: 'C' },
      ...(user && { uid: user.uid, gid: user.gid }),
    })
    orphan.unref()
    while (clusterProcess(cluster) === undefined) await sleep(20)
    const server = await startEmbedded({ dataDir })
    expect(server.pid).not.toBe(orphan.pid)
    expect(isAlive(orphan.pid!)).toBe(false)
    expect(await ask(server, 'select count(*)::int as n from kept')).toEqual([{ n: 1001 }])
    await server.close()
  })

  it('a process id that belongs to another program by now is left alone', async () => {
    writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n`)
    expect(clusterProcess(cluster)).toBeUndefined()
    rmSync(join(cluster, 'postmaster.pid'))
  })

  it('a cluster whose creation was interrupted is made again', async () => {
    const half = join(folder, 'half')
    mkdirSync(join(half, 'postgres', 'new'), { recursive: true })
    writeFileSync(join(half, 'postgres', 'new', 'PG_VERSION'), '18\n')
    const server = await startEmbedded({ dataDir: half })
    expect(await ask(server, 'select 1 as n')).toEqual([{ n: 1 }])
    await server.close()
  })

  it('a cluster of another major version of PostgreSQL is refused', async () => {
    const file = join(cluster, 'PG_VERSION')
    const version = readFileSync(file)
    writeFileSync(file, '9\n')
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/was made by PostgreSQL 9, and this is 18: move it away/)
    writeFileSync(file, version)
  })

  it('a password file that is lost or changed is named at once', async () => {
    const file = join(dataDir, 'postgres', 'password')
    const password = readFileSync(file)
    for (const wrong of ['', 'wrong', undefined]) {
      rmSync(file)
      if (wrong !== undefined) writeFileSync(file, wrong)
      await expect(startEmbedded({ dataDir })).rejects.toThrow(`${file} is not the password of this embedded PostgreSQL`)
    }
    writeFileSync(file, password)
    await (await startEmbedded({ dataDir })).close()
  })

  it('the error contains what the server said when it cannot start', async () => {
    const file = join(cluster, 'postgresql.conf')
    const settings = readFileSync(file)
    writeFileSync(file, `${settings}\nno_such_setting = 1\n`)
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/no_such_setting/)
    writeFileSync(file, settings)
  })

  it.each([
    { how: 'kept', kept: true },
    { how: 'not kept', kept: false },
  ])('a server that is stopped as soon as it is started ends, with a cluster that is $how', async ({ kept }) => {
    await (await startEmbedded({ dataDir })).close()
    const user = serverUser()
    const place = { ...persistentDirectory(dataDir, user), isPersistent: kept }
    // The signal that stops it comes before PostgreSQL has handlers for it.
    const stopped = launched(findBinaries(user), place, { signal: AbortSignal.abort(new Error('stopped')) })
    await expect(stopped).rejects.toThrow('stopped')
    expect(clusterProcess(cluster)).toBeUndefined()
  })

  it('a socket path that is too long for the system is moved elsewhere', async () => {
    const deep = join(folder, 'd'.repeat(90))
    const server = await startEmbedded({ dataDir: deep })
    expect(String(server.connection.host).length).toBeLessThan(90)
    await server.close()
    expect(existsSync(String(server.connection.host))).toBe(false)
  })

  it('the embedded server allows as many connections as its process takes, and several processes share what they read with', async () => {
    for (const workers of [1, 2, 4, 6, 16, 64])
      for (const networks of [1, 2, 5]) {
        const readers = readersOf(workers, networks)
        expect(readers).toBeGreaterThanOrEqual(2)
        if (workers > 1) expect(workers * networks * (readers + PAGE_READERS)).toBeLessThanOrEqual(Math.max(48, workers * networks * 4))
        // A writer, a fetcher of metadata and a cancel beside the readers, in each.
        const taken = workers * networks * (readers + PAGE_READERS + 3)
        expect(connectionsFor(workers, networks)).toBeGreaterThan(taken)
      }
    const database = createDatabase({ databaseUrl: undefined, dataDir: undefined, network: ['local', 'other'] })
    const { connection } = await database.open(undefined, undefined)
    const client = new Client(connection)
    await client.connect()
    const { rows } = await client.query('show max_connections')
    expect(rows).toEqual([{ max_connections: String(connectionsFor(1, 2)) }])
    await client.end()
    await database.close()
  })

  it('a new cluster has the database of the service, also from the stored template, and can get those of further networks', async () => {
    const databasesOf = async (network: readonly string[]) => {
      const database = createDatabase({ databaseUrl: undefined, dataDir: undefined, network })
      try {
        const { connection } = await database.open(network[1], undefined)
        const client = new Client(connection)
        await client.connect()
        const { rows } = await client.query<{ datname: string }>('select datname from pg_database order by datname')
        await client.end()
        return rows.map(({ datname }) => datname)
      } finally {
        await database.close()
      }
    }
    const own = ['postgres', 'template0', 'template1', 'tonway']
    expect(await databasesOf(['local'])).toEqual(own)
    expect(await databasesOf(['local'])).toEqual(own)
    expect(await databasesOf(['local', 'other'])).toEqual([...own, 'tonway_other'])
  }, 30_000)

  it('impossible numbers of connections are refused with the settings that are to blame', async () => {
    const nowhere = join(folder, 'nowhere')
    await expect(temporaryDirectory(undefined, [nowhere])).rejects.toThrow(`there is none of ${nowhere}; set TMPDIR or DATABASE_URL`)
    const somebody = { name: 'somebody', uid: 65_533, gid: 65_533 }
    const closed = join(folder, 'shut')
    mkdirSync(closed, { mode: 0o700 })
    await expect(temporaryDirectory(somebody, [closed])).rejects.toThrow(
      `user somebody, as whom PostgreSQL runs, can enter none of ${closed}; set TMPDIR or DATABASE_URL`,
    )
  })

  it('clusters of dead processes are removed, those of living ones are not', async () => {
    const dead = join(tmpdir(), `tonwaypg-${machine}-dead${process.pid}`)
    const alive = join(tmpdir(), `tonwaypg-${machine}-alive${process.pid}`)
    for (const path of [dead, alive]) mkdirSync(path)
    writeFileSync(join(dead, 'lock'), `999999999 ${machine} 1`)
    const server = await startEmbedded({})
    // Its own mark is that of this process.
    writeFileSync(join(alive, 'lock'), readFileSync(join(String(server.connection.host), '..', 'lock')))
    const other = await startEmbedded({})
    expect(readdirSync(tmpdir())).toContain(`tonwaypg-${machine}-alive${process.pid}`)
    expect(existsSync(dead)).toBe(false)
    rmSync(alive, { recursive: true })
    await Promise.all([server.close(), other.close()])
    await gone(server.pid)
  })

  it.skipIf(!isRoot)('as root, a directory that the unprivileged user cannot enter is refused by name (skipped unless root)', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    await expect(startEmbedded({ dataDir: join(closed, 'data') })).rejects.toThrow(new RegExp(`who cannot enter ${closed}: take another`))
    expect(closedDirectory(join(closed, 'data'), serverUser())).toBe(closed)
    expect(closedDirectory(folder, serverUser())).toBeUndefined()
  })

  it.skipIf(!isRoot)('as root, the server runs as another user (skipped unless root)', async () => {
    const server = await startEmbedded({})
    const owner = readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/^Uid:\s+(\d+)/m)?.[1]
    expect(Number(owner)).toBe(serverUser()?.uid)
    expect(Number(owner)).not.toBe(0)
    await server.close()
  })
})
