import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { crc32 } from 'node:zlib'
import { isOwnFile, removeUnused } from './own-file.ts'

/*
 * What V8 has compiled of a file, kept in the user's cache directory. V8 would run any code that it finds there, so a file counts only if this user made it for
 * this user alone. Its name has the name of the compiled file, which has a hash of the code, and V8's own version tag, which has its flags.
 */

const PREFIX = 'tonway-code-'
const CHECKSUM_BYTES = 4

/** What `work` returns; undefined if it throws. */
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * The directory of caches. A user without an entry in the system's list has no home: then it is the directory for temporary files itself, where the system lets
 * nobody replace a file of another user.
 */
const userCache = (): string => {
  const home = attempt(homedir)
  return home ? join(home, '.cache/tonway') : tmpdir()
}

/** Path of the cache of a file with this name. */
export const cacheFile = (name: string, directory: string = userCache()): string =>
  join(directory, `${PREFIX}${name}-${process.version}-${process.arch}-${cachedDataVersionTag()}-${process.getuid?.() ?? 0}`)

const checksumOf = (data: Uint8Array): Buffer => {
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(data))
  return checksum
}

/** What was kept; undefined if there is nothing, or it is damaged or of another user. */
export const readCache = (file: string): Buffer | undefined =>
  attempt(() => {
    if (!isOwnFile(file)) return undefined
    const kept = readFileSync(file)
    const data = kept.subarray(CHECKSUM_BYTES)
    if (!checksumOf(data).equals(kept.subarray(0, CHECKSUM_BYTES))) return undefined
    utimesSync(file, new Date(), new Date())
    return data
  })

/** Keeps data for later processes. If that fails, nothing is kept. */
export const writeCache = (file: string, data: Uint8Array): void => {
  const part = `${file}.${randomUUID()}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(part, Buffer.concat([checksumOf(data), data]), { flag: 'wx', mode: 0o600 })
    renameSync(part, file)
    removeUnused(dirname(file), PREFIX)
  } catch {
    // The disk may be full, or the directory not writable.
    attempt(() => rmSync(part, { force: true }))
  }
}
