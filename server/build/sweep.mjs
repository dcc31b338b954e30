// Removes what earlier builds left in dist/server, a day after it was replaced.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const FOLDER = 'dist/server'
/** Names the files that are left, so that `npm pack` passes over them. */
const LIST = join(FOLDER, '.npmignore')
/** How long replaced files stay, ms. A service that runs loads some of its files when they are first needed, and those of another build have other names. */
const STAYS_MS = 86_400_000

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** `made`: paths of the files of this build. */
export const sweep = (made) => {
  const listed = new Set(existsSync(LIST) ? readFileSync(LIST, 'utf8').split('\n') : [])
  const left = []
  for (const file of filesBelow(FOLDER)) {
    if (made.has(file) || file === LIST) continue
    const name = `/${relative(FOLDER, file)}`
    // The time of a file that is left is the time at which it was replaced.
    if (!listed.has(name)) utimesSync(file, new Date(), new Date())
    else if (statSync(file).mtimeMs < Date.now() - STAYS_MS) {
      rmSync(file, { force: true })
      continue
    }
    left.push(name)
  }
  writeFileSync(LIST, left.map((name) => `${name}\n`).join(''))
}
