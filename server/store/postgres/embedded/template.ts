import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chownSync, closeSync, futimesSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isOwnFile, removeUnused } from '../../../base/files/own-file.ts'
import { MIGRATIONS } from '../../migrations/index.ts'
import type { ClusterDirectory } from './cluster-directory.ts'
import { ended } from './launch.ts'
import type { ServerUser } from './server-user.ts'

/*
 * An archive of a new cluster, from which temporary clusters are unpacked in a tenth of initdb's time. The template is a single file, so that programs that
 * clean temporary directories cannot delete only a part of it. Only its owner can read it, because it contains the role's password.
 */

const PREFIX = 'tonwaypg-template-'

/** Name of the password file in the cluster. PostgreSQL ignores this file. */
const PASSWORD = 'tonway.password'

/** The tables in the template: the names and the statements of all migrations. A new migration makes a new template. */
const TABLES = createHash('sha256').update(JSON.stringify(MIGRATIONS)).digest('hex').slice(0, 12)

/** Path of the template. `version`: of the binaries. */
export const templateFile = (directory: string, version: string): string =>
  join(directory, `${PREFIX}${version}-${TABLES}-${process.platform}-${process.arch}-${process.getuid?.() ?? 0}.tar`)

/**
 * Runs tar as the owner of the cluster's files. That user cannot open the archive, so tar gets it as standard input or output. Resolves with whether tar
 * succeeded.
 */
const tar = async (argv: readonly string[], stdio: ['ignore' | number, 'ignore' | number, 'ignore'], user: ServerUser | undefined) =>
  (await ended(spawn('tar', argv, { stdio, ...(user && { uid: user.uid, gid: user.gid }) }))) === 0

/**
 * Unpacks the archive into the empty directory `cluster`. Resolves with the password of the cluster's role, or with undefined if there is no usable
 * archive. The directory may then contain some files.
 */
export const unpackTemplate = async (file: string, cluster: string, user: ServerUser | undefined): Promise<string | undefined> => {
  if (!isOwnFile(file)) return undefined
  const input = openSync(file, 'r')
  try {
    if (await tar(['-x', '-f', '-', '-C', cluster], [input, 'ignore', 'ignore'], user)) {
      futimesSync(input, new Date(), new Date())
      return readFileSync(join(cluster, PASSWORD), 'utf8')
    }
  } catch {
    // An archive without a password file is not of this version.
  } finally {
    closeSync(input)
  }
  rmSync(file, { force: true })
  return undefined
}

/** Stores a newly created cluster whose server was stopped properly. If storing fails, no file is left, and the next start runs initdb again. */
export const storeTemplate = async (file: string, { cluster, password, user }: ClusterDirectory): Promise<void> => {
  // The name is unique, because two threads of one process may store the template at the same time.
  const part = `${file}.${randomUUID()}`
  try {
    writeFileSync(join(cluster, PASSWORD), password, { mode: 0o600 })
    if (user) chownSync(join(cluster, PASSWORD), user.uid, user.gid)
    const output = openSync(part, 'wx', 0o600)
    const isWritten = await tar(['-c', '-f', '-', '-C', cluster, '.'], ['ignore', output, 'ignore'], user).finally(() => closeSync(output))
    if (isWritten) renameSync(part, file)
    removeUnused(dirname(file), PREFIX)
  } catch {
    // The directory may be full, or not writable.
  } finally {
    rmSync(part, { force: true })
  }
}
