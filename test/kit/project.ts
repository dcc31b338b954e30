import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const upTo = (folder: string): string => {
  if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'server')) && existsSync(join(folder, 'test'))) return folder
  if (dirname(folder) === folder) throw new Error('this program does not lie in the project')
  return upTo(dirname(folder))
}

/** The project's folder, without a trailing slash. Works from the sources and from a bundle in dist/. */
export const projectFolder = upTo(dirname(fileURLToPath(import.meta.url)))
