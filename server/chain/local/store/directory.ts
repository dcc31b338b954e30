import { linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../../../base/directory.ts'
import { holds, machine, ownMark } from '../../../base/process-mark.ts'

/** Where the files of a chain are; one process at a time. */
export interface ChainDirectory {
  readonly path: string
  /** Whether the files outlive the process. */
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

/** Leaves a mark where there is none, whole and at once: of several processes one succeeds. */
const leaveMark = (lock: string, mark: string): boolean => {
  const own = `${lock}.${process.pid}`
  writeFileSync(own, mark)
  try {
    linkSync(own, lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // A file system without hard links.
    writeFileSync(lock, mark)
  } finally {
    rmSync(own)
  }
  return true
}

const inUse = (path: string, mark: string): Error => new Error(`the data directory ${path} is in use by process ${mark.split(' ')[0]}`)

/** Throws with a text for people if another process has a data directory. Changes nothing. */
export const checkFree = (path: string): void => {
  const mark = readMark(path)
  if (holds(mark)) throw inUse(path, mark)
}

/** Takes a data directory, made where it is missing. Throws with a text for people when another process has it. */
export const takeDataDirectory = (path: string): ChainDirectory => {
  makeDirectory(path)
  const lock = join(path, 'lock')
  while (!leaveMark(lock, ownMark())) {
    const mark = readMark(path)
    if (holds(mark)) throw inUse(path, mark)
    // Its process is gone. It is moved away before it is removed: another may have taken the directory since it was read.
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

/** A directory for this process only; those that dead processes left behind are removed. */
export const takeTemporaryDirectory = (parent: string = tmpdir()): ChainDirectory => {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${PREFIX}${machine}-`)) continue
    const mark = readMark(join(parent, name))
    if (mark === '' || holds(mark)) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // Another user's: not ours to sweep.
    }
  }
  const path = mkdtempSync(join(parent, `${PREFIX}${machine}-`))
  writeFileSync(join(path, 'lock'), ownMark())
  return { path, kept: false, release: () => rmSync(path, { recursive: true, force: true }) }
}
