import { createHash } from 'node:crypto'
import { linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../../../base/directory.ts'
import { isRunning, machine, ownMark } from '../../../base/process-mark.ts'

/** The directory of a chain's files, locked by one process. */
export interface ChainDirectory {
  readonly path: string
  /** Whether the files stay after release. */
  readonly isPermanent: boolean
  release(): void
}

/** Files of a chain in its directory. */
export const chainFiles = (path: string): { readonly log: string; readonly index: string } => ({
  log: join(path, 'chain.log'),
  index: join(path, 'chain.idx'),
})

const PREFIX = 'tonway-'

const lockOf = (path: string): string => join(path, 'lock')

/** The mark in a lock file; undefined if there is none. */
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

/** Creates the lock file atomically if there is none; returns whether it did. Of several processes only one succeeds. */
const leaveMark = (lock: string, mark: string): boolean => {
  const own = `${lock}.${process.pid}`
  // A process of this number may have left it as a link of the lock.
  rmSync(own, { force: true })
  writeFileSync(own, mark)
  try {
    linkSync(own, lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // The file system has no hard links.
    return writeOnce(lock, mark)
  } finally {
    rmSync(own)
  }
  return true
}

const inUse = (path: string, mark: string): Error => new Error(`the data directory ${path} is in use by process ${mark.split(' ')[0]}`)

/** Throws an Error whose message is for the user if another process holds the data directory. Changes nothing. */
export const checkFree = (path: string): void => {
  const mark = readMark(lockOf(path))
  if (mark !== undefined && isRunning(mark)) throw inUse(path, mark)
}

/** Name of the lock that guards the replacement of a lock with this mark. */
const guardOf = (lock: string, mark: string): string => `${lock}.${createHash('sha256').update(mark).digest('hex').slice(0, 16)}`

/**
 * Takes a lock file. Returns the mark of the living process that holds it, undefined if this one does. The lock of a dead process is replaced under a
 * guard, a lock that is named after the dead mark: so of several processes that see the same mark only one replaces it, in one step.
 */
const takeLock = (lock: string): string | undefined => {
  while (!leaveMark(lock, ownMark())) {
    const mark = readMark(lock)
    // Released since.
    if (mark === undefined) continue
    if (isRunning(mark)) return mark
    const guard = guardOf(lock, mark)
    if (takeLock(guard) !== undefined) {
      // Another process is replacing it, which takes less than a millisecond.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
      continue
    }
    try {
      // Read again: the process that had the guard before may have replaced it.
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

/** Takes a data directory and creates it if it is missing. Throws an Error whose message is for the user if another process holds it. */
export const takeDataDirectory = (path: string): ChainDirectory => {
  makeDirectory(path)
  const lock = lockOf(path)
  const holder = takeLock(lock)
  if (holder !== undefined) throw inUse(path, holder)
  return { path, isPermanent: true, release: () => rmSync(lock, { force: true }) }
}

/** Makes a temporary directory for this process. Removes those that dead processes left. */
export const takeTemporaryDirectory = (parent: string = tmpdir()): ChainDirectory => {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${PREFIX}${machine}-`)) continue
    const mark = readMark(lockOf(join(parent, name)))
    if (mark === undefined || mark === '' || isRunning(mark)) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // It belongs to another user.
    }
  }
  const path = mkdtempSync(join(parent, `${PREFIX}${machine}-`))
  writeFileSync(lockOf(path), ownMark())
  return { path, isPermanent: false, release: () => rmSync(path, { recursive: true, force: true }) }
}
