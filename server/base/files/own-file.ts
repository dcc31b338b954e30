import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/* Files of this user in a directory that all users share. */

/** Time (ms) without use after which a file is removed. */
const UNUSED_MS = 7 * 24 * 3_600_000

/** Returns whether a file exists, and belongs to this user with access for this user alone. */
export const isOwnFile = (file: string): boolean => {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.uid === (process.getuid?.() ?? stat.uid) && (stat.mode & 0o077) === 0
}

/** Removes this user's files with a prefix that were not used for a week. The modification time of a file is the time of its last use. */
export const removeUnused = (directory: string, prefix: string): void => {
  for (const name of readdirSync(directory)) {
    const file = join(directory, name)
    if (name.startsWith(prefix) && isOwnFile(file) && Date.now() - statSync(file).mtimeMs > UNUSED_MS) rmSync(file, { force: true })
  }
}
