import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isRunning, machine, ownMark } from '../../../base/process-identity.ts'
import { CLOSED_DIRECTORY } from '../faults.ts'
import { checkOwner } from './ownership.ts'
import { clusterProcess, endProcess } from './postmaster.ts'
import { closedDirectory, type ServerUser } from './server-user.ts'

export type ClusterDirectory = ReturnType<typeof lay>

const PREFIX = `tonwaypg-${machine}-`
/** Maximum length of the socket's directory. sun_path has 108 bytes on Linux and 104 on macOS; the file name takes 14 and the terminator 1. */
const MAX_SOCKET_DIRECTORY = 88

const readPassword = (file: string): string => {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

/** `user`: as whom PostgreSQL runs; undefined: the user of this process. */
const lay = (path: string, isPersistent: boolean, user: ServerUser | undefined) => {
  const socketInside = join(path, 'socket')
  const outside = Buffer.byteLength(socketInside) > MAX_SOCKET_DIRECTORY
  const socket = outside ? mkdtempSync(join('/tmp', PREFIX)) : socketInside
  if (outside) writeFileSync(join(socket, 'lock'), ownMark())
  mkdirSync(socket, { recursive: true, mode: 0o700 })
  if (user) chownSync(socket, user.uid, user.gid)
  return {
    path,
    cluster: join(path, 'cluster'),
    socket,
    log: join(path, 'server.log'),
    password: readPassword(join(path, 'password')),
    isPersistent,
    user,
    release() {
      if (outside) rmSync(socket, { recursive: true, force: true })
      if (!isPersistent) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** The cluster of a data directory. Throws with a readable message if `user` cannot access the directory. */
export const persistentDirectory = (dataDir: string, user: ServerUser | undefined): ClusterDirectory => {
  const path = join(resolve(dataDir), 'postgres')
  mkdirSync(path, { recursive: true, mode: 0o755 })
  checkOwner(path, user)
  if (user) chmodSync(path, 0o755)
  const closed = closedDirectory(path, user)
  if (user && closed !== undefined) {
    const text = `PostgreSQL runs as user ${user.name}, who cannot enter ${closed}: take another data directory, allow it (chmod o+x ${closed}), or set DATABASE_URL`
    throw Object.assign(new Error(text), { code: CLOSED_DIRECTORY })
  }
  return lay(path, true, user)
}

/** Removes temporary clusters whose processes have ended, and stops their servers. */
const sweep = async (parent: string): Promise<void> => {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(parent, name)
    try {
      const mark = readFileSync(join(path, 'lock'), 'utf8')
      if (isRunning(mark)) continue
      const pid = clusterProcess(join(path, 'cluster'))
      if (pid !== undefined) await endProcess(pid, 'SIGQUIT', 2_000)
      rmSync(path, { recursive: true, force: true })
    } catch {
      // Not a cluster of tonway, or another process is just creating it.
    }
  }
}

/** Creates the directory of a temporary cluster for this process, in the first of `parents` that `user` can access. */
export const temporaryDirectory = async (
  user: ServerUser | undefined,
  parents: readonly string[] = [tmpdir(), '/var/tmp', '/tmp'],
): Promise<ClusterDirectory> => {
  const parent = parents.find((candidate) => existsSync(candidate) && closedDirectory(candidate, user) === undefined)
  if (parent === undefined) {
    const why = user === undefined ? 'there is none of' : `user ${user.name}, as whom PostgreSQL runs, can enter none of`
    throw new Error(`${why} ${parents.join(', ')}; set TMPDIR or DATABASE_URL`)
  }
  await sweep(parent)
  const path = mkdtempSync(join(parent, PREFIX))
  writeFileSync(join(path, 'lock'), ownMark())
  chmodSync(path, 0o755)
  return lay(path, false, user)
}
