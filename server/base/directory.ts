import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory and its parents. Throws what the file system throws. Node's own recursive `mkdir` never ends on a file system that says ENOENT although
 * the parent exists, as /proc does.
 */
export const makeDirectory = (path: string): void => {
  const above = dirname(path)
  if (!existsSync(above)) makeDirectory(above)
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}
