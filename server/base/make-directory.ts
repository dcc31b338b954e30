import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a directory and its parents. Throws errors of the file system. Node's own recursive `mkdir` is not used: it never returns on a file system that
 * reports ENOENT although the parent exists, such as /proc.
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
