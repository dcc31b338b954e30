import { createHash } from 'node:crypto'
import { linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../../../base/make-directory.ts'
import { isRunning, machine, ownMark } from '../../../base/process-identity.ts'

export interface ChainDirectory {
  readonly path: string
  readonly isPermanent: boolean
  release(): void
}

export interface ChainFiles {
  readonly log: string
  readonly index: string
}

export const chainFiles = (path: string): ChainFiles => ({
  log: join(path, 'chain.log'),
  index: join(path, 'chain.idx'),
})

const PREFIX = 'tonway-'

const lockOf = (path: string): string => join(path, 'lock')

const readMark = (lock: string): string | undefined => {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return undefined
  }
}

const writeOnce = (lock: string, mark: string): boolean => {
  try {
    writeFileSync(lock, mark, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  return true
}

/** Creates the lock file atomically. Returns false if the file exists. Of several processes only one succeeds. */
const leaveMark = (lock: string, mark: string): boolean => {
  const own = `${lock}.${process.pid}`
  // A dead process with the same pid may have left this file as a hard link of the lock.
  rmSync(own, { force: true })
  writeFileSync(own, mark)
  try {
    linkSync(own, lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // The file system does not support hard links.
    return writeOnce(lock, mark)
  } finally {
    rmSync(own)
  }
  return true
}

const inUse = (path: string, mark: string): Error => new Error(`the data directory ${path} is in use by process ${mark.split(' ')[0]}`)

/** Throws an Error with a text for the user if another process has locked the data directory. Changes nothing. */
export const checkFree = (path: string): void => {
  const mark = readMark(lockOf(path))
  if (mark !== undefined && isRunning(mark)) throw inUse(path, mark)
}

/** Name of the guard lock that must be taken before a lock with this mark is replaced. */
const guardOf = (lock: string, mark: string): string => `${lock}.${createHash('sha256').update(mark).digest('hex').slice(0, 16)}`

/**
 * Acquires a lock file. Returns undefined if this process has the lock, otherwise the mark of the living process that has it. The lock of a dead process is
 * replaced only under a guard lock, whose name contains a hash of the dead mark. So of several processes that read the same mark only one replaces the
 * lock.
 */
const takeLock = (lock: string): string | undefined => {
  for (let tries = 0; !leaveMark(lock, ownMark()); tries++) {
    const mark = readMark(lock)
    if (tries > 1_000) throw new Error(`${lock} cannot be read: remove it, unless another tonway uses this directory`)
    // The lock was released in the meantime, or is a directory or another user's.
    if (mark === undefined) continue
    if (isRunning(mark)) return mark
    const guard = guardOf(lock, mark)
    if (takeLock(guard) !== undefined) {
      // Another process is replacing the lock, which takes less than a millisecond.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
      continue
    }
    try {
      // Read again, because another process may have replaced the lock before this process got the guard.
      if (readMark(lock) !== mark) continue
      const own = `${lock}.${process.pid}`
      rmSync(own, { force: true })
      writeFileSync(own, ownMark())
      renameSync(own, lock)
      return undefined
    } finally {
      rmSync(guard, { force: true })
    }
  }
  return undefined
}

/** Locks a data directory and creates it if it is missing. Throws an Error with a text for the user if another process has locked it. */
export const takeDataDirectory = (path: string): ChainDirectory => {
  makeDirectory(path)
  const lock = lockOf(path)
  const holder = takeLock(lock)
  if (holder !== undefined) throw inUse(path, holder)
  return { path, isPermanent: true, release: () => rmSync(lock, { force: true }) }
}

/** Makes a temporary directory for this process. Removes the temporary directories of dead processes. */
export const takeTemporaryDirectory = (parent: string = tmpdir()): ChainDirectory => {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${PREFIX}${machine}-`)) continue
    const mark = readMark(lockOf(join(parent, name)))
    if (mark === undefined || mark === '' || isRunning(mark)) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // The directory belongs to another user.
    }
  }
  const path = mkdtempSync(join(parent, `${PREFIX}${machine}-`))
  writeFileSync(lockOf(path), ownMark())
  return { path, isPermanent: false, release: () => rmSync(path, { recursive: true, force: true }) }
}
