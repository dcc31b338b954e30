// Stamps identify the sources of a build. A build whose stamp equals that of the current sources is up to date.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A missing path is allowed, because a copy of the project may have no lock file. */
const filesOf = (path) => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : [path]
}

/** A hash of the names and contents of files and folders of the project, and of the build's `options`. Paths that begin with `!` are excluded. */
export const stampOf = (paths, options = '') => {
  const hash = createHash('sha256').update(options)
  const isLeftOut = (file) => paths.some((path) => path.startsWith('!') && file.startsWith(`${join(root, path.slice(1))}/`))
  for (const file of paths.flatMap((path) => filesOf(join(root, path))))
    if (!isLeftOut(file)) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

/** Returns whether a stamp file contains this stamp. */
export const isCurrent = (file, stamp) => existsSync(file) && readFileSync(file, 'utf8') === stamp
