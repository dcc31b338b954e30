import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/* PostgreSQL refuses to run as root. If this process is root, PostgreSQL runs as an unprivileged user, which must be able to access its files. */

export interface ServerUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const CANDIDATES = ['postgres', 'nobody'] as const

/** The user as whom PostgreSQL runs if this process is root; throws if that user does not exist. Undefined: PostgreSQL runs as the user of this process. */
export const serverUser = (uid = process.getuid?.() ?? -1, passwd = '/etc/passwd'): ServerUser | undefined => {
  if (uid !== 0) return undefined
  const rows = readFileSync(passwd, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of CANDIDATES) {
    const row = rows.find(([user]) => user === name)
    if (row && Number(row[2]) > 0) return { name, uid: Number(row[2]), gid: Number(row[3]) }
  }
  throw new Error(`PostgreSQL does not run as root, and this machine has no user ${CANDIDATES.join(' or ')}; set DATABASE_URL`)
}

/** The first parent directory of `path` that `user` cannot enter, if any. Directories that do not exist yet are not checked. */
export const closedDirectory = (path: string, user: ServerUser | undefined): string | undefined => {
  if (user === undefined) return undefined
  const way: string[] = []
  for (let at = resolve(path); ; at = dirname(at)) {
    way.unshift(at)
    if (dirname(at) === at) break
  }
  for (const directory of way) {
    const stat = statSync(directory, { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    if (!stat.isDirectory()) continue
    const bit = stat.uid === user.uid ? 0o100 : stat.gid === user.gid ? 0o010 : 0o001
    if ((stat.mode & bit) === 0) return directory
  }
  return undefined
}
