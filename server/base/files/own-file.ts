import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/* Files that this user keeps in a directory that all users share. */

/** Milliseconds after which a file that nobody has used is removed. */
const UNUSED_MS = 7 * 24 * 3_600_000

/** Whether a file is there, and was made by this user for this user alone. */
export const isOwnFile = (file: string): boolean => {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.uid === (process.getuid?.() ?? stat.uid) && (stat.mode & 0o077) === 0
}

/** Removes this user's files with a prefix that were not used for a week. Each use of a file updates its time. */
export const removeUnused = (directory: string, prefix: string): void => {
  for (const name of readdirSync(directory)) {
    const file = join(directory, name)
    if (name.startsWith(prefix) && isOwnFile(file) && Date.now() - statSync(file).mtimeMs > UNUSED_MS) rmSync(file, { force: true })
  }
}
