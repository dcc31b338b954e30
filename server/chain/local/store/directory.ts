import { linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../../../base/directory.ts'
import { holds, machine, ownMark } from '../../../base/process-mark.ts'

/** The directory of a chain's files, held by one process. */
export interface ChainDirectory {
  readonly path: string
  /** Whether the files stay after release. */
  readonly kept: boolean
  release(): void
}

/** Files of a chain in its directory. */
export const chainFiles = (path: string): { readonly log: string; readonly index: string } => ({
  log: join(path, 'chain.log'),
  index: join(path, 'chain.idx'),
})

const PREFIX = 'tonway-'

const readMark = (path: string): string => {
  try {
    return readFileSync(join(path, 'lock'), 'utf8')
  } catch {
    return ''
  }
}

/** Creates the lock file atomically if there is none; returns whether it did. Of several processes only one succeeds. */
const leaveMark = (lock: string, mark: string): boolean => {
  const own = `${lock}.${process.pid}`
  writeFileSync(own, mark)
  try {
    linkSync(own, lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // The file system has no hard links.
    writeFileSync(lock, mark)
  } finally {
    rmSync(own)
  }
  return true
}

const inUse = (path: string, mark: string): Error => new Error(`the data directory ${path} is in use by process ${mark.split(' ')[0]}`)

/** Throws an Error with a text for users if another process holds the data directory. Changes nothing. */
export const checkFree = (path: string): void => {
  const mark = readMark(path)
  if (holds(mark)) throw inUse(path, mark)
}

/** Takes a data directory and creates it if it is missing. Throws an Error with a text for users if another process holds it. */
export const takeDataDirectory = (path: string): ChainDirectory => {
  makeDirectory(path)
  const lock = join(path, 'lock')
  while (!leaveMark(lock, ownMark())) {
    const mark = readMark(path)
    if (holds(mark)) throw inUse(path, mark)
    // The lock's process is gone. The lock is moved aside before it is removed, because another process may have taken the directory meanwhile.
    const aside = `${lock}.${process.pid}`
    try {
      renameSync(lock, aside)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      throw error
    }
    const moved = readFileSync(aside, 'utf8')
    rmSync(aside)
    if (!holds(moved)) continue
    leaveMark(lock, moved)
    throw inUse(path, moved)
  }
  return { path, kept: true, release: () => rmSync(lock, { force: true }) }
}

/** Makes a temporary directory for this process. Removes those that dead processes left. */
export const takeTemporaryDirectory = (parent: string = tmpdir()): ChainDirectory => {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${PREFIX}${machine}-`)) continue
    const mark = readMark(join(parent, name))
    if (mark === '' || holds(mark)) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // It belongs to another user.
    }
  }
  const path = mkdtempSync(join(parent, `${PREFIX}${machine}-`))
  writeFileSync(join(path, 'lock'), ownMark())
  return { path, kept: false, release: () => rmSync(path, { recursive: true, force: true }) }
}
