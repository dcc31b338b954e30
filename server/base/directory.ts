import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory, and those above it. Throws what the file system throws. node's own recursive `mkdir` never ends where a file system says ENOENT
 * although the directory above is there, as /proc does.
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
