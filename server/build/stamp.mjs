// What a build was made from. A build with the stamp of its sources is up to date, and need not be made again.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A copy of the project may have no lock file. */
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

/** A hash over the names and the content of files and folders of the project, and over `options` of the build. A path that begins with `!` is left out. */
export const stampOf = (paths, options = '') => {
  const hash = createHash('sha256').update(options)
  const isLeftOut = (file) => paths.some((path) => path.startsWith('!') && file.startsWith(`${join(root, path.slice(1))}/`))
  for (const file of paths.flatMap((path) => filesOf(join(root, path))))
    if (!isLeftOut(file)) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

/** Whether the file of a stamp holds this one. */
export const isCurrent = (file, stamp) => existsSync(file) && readFileSync(file, 'utf8') === stamp
