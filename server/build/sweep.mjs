// Removes files of earlier builds from dist/server, one day after they were replaced.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const FOLDER = 'dist/server'
/** Lists the files of earlier builds, so that `npm pack` excludes them. */
const LIST = join(FOLDER, '.npmignore')
/** Time (ms) for which replaced files are retained. A running service loads some of its files later, and the files of another build have other names. */
const STAYS_MS = 86_400_000

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** `made`: paths of the files of the current build. */
export const sweep = (made) => {
  const listed = new Set(existsSync(LIST) ? readFileSync(LIST, 'utf8').split('\n') : [])
  const left = []
  for (const file of filesBelow(FOLDER)) {
    if (made.has(file) || file === LIST) continue
    const name = `/${relative(FOLDER, file)}`
    // The modification time of a replaced file is set to the time of its replacement.
    if (!listed.has(name)) utimesSync(file, new Date(), new Date())
    else if (statSync(file).mtimeMs < Date.now() - STAYS_MS) {
      rmSync(file, { force: true })
      continue
    }
    left.push(name)
  }
  writeFileSync(LIST, left.map((name) => `${name}\n`).join(''))
}
