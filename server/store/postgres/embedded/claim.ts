import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, ownMark } from '../../../base/process-identity.ts'

/*
 * Locks a persistent cluster for one process. Without the lock, a service and a command could create the cluster at the same time, and a starting service
 * would stop the command's server.
 */

const fileOf = (path: string): string => join(path, 'owner')

/** Mark of the running process that has claimed the cluster; undefined if there is none. */
const ownerOf = (path: string): string | undefined => {
  try {
    const mark = readFileSync(fileOf(path), 'utf8')
    return isRunning(mark) ? mark : undefined
  } catch {
    return undefined
  }
}

export const isClaimed = (dataDir: string): boolean => ownerOf(join(resolve(dataDir), 'postgres')) !== undefined

const PATIENCE = 30_000
const BETWEEN = 50

/** Waits until no other process has claimed the cluster. Returns a function that releases the claim. */
export const claimPlace = async (path: string, signal: AbortSignal | undefined): Promise<() => void> => {
  const file = fileOf(path)
  // A lost server may release its claim after the next one has claimed the cluster, so each claim has a unique mark.
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
