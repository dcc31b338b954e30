import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, ownMark } from '../../../base/process-mark.ts'

/*
 * Only one process at a time uses a persistent cluster: a service, or a command for a short time. Without this, a command that runs while a service creates its
 * cluster would create it too, and a starting service would end the command's server.
 */

const fileOf = (path: string): string => join(path, 'owner')

/** The claim of the running process that has the cluster; undefined if none has it. */
const ownerOf = (path: string): string | undefined => {
  try {
    const mark = readFileSync(fileOf(path), 'utf8')
    return isRunning(mark) ? mark : undefined
  } catch {
    return undefined
  }
}

/** Whether a process runs, or is starting, the embedded PostgreSQL of this data directory. */
export const isClaimed = (dataDir: string): boolean => ownerOf(join(resolve(dataDir), 'postgres')) !== undefined

const PATIENCE = 30_000
const BETWEEN = 50

/** Claims the cluster for this process, after waiting until another process releases it. Returns the function that releases it. */
export const claimPlace = async (path: string, signal: AbortSignal | undefined): Promise<() => void> => {
  const file = fileOf(path)
  // A lost server can be closed after the next one has begun, so each has its own claim.
  const mark = `${ownMark()} ${randomBytes(6).toString('hex')}`
  for (const start = Date.now(); ; ) {
    const owner = ownerOf(path)
    if (owner === undefined || owner.startsWith(`${ownMark()} `)) {
      rmSync(file, { force: true })
      try {
        writeFileSync(file, mark, { flag: 'wx' })
        return () => {
          if (ownerOf(path) === mark) rmSync(file, { force: true })
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
    if (Date.now() - start > PATIENCE)
      throw new Error(
        owner === undefined
          ? `${path} cannot be taken: ${file} is written by others`
          : `${path} is in use by process ${owner.split(' ', 1)[0]}`,
      )
    await sleep(BETWEEN, undefined, { ...(signal && { signal }) })
  }
}
