import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { holds, ownMark } from '../../../base/process-mark.ts'

/*
 * One process at a time works in a kept cluster's place: a service, or for a moment a command. Without this a command that is said while a service
 * makes its cluster would make it too, and a service that starts would end the server of the command.
 */

const fileOf = (path: string): string => join(path, 'owner')

/** What the process at work that has the place wrote; undefined where it is nobody's. */
const ownerOf = (path: string): string | undefined => {
  try {
    const mark = readFileSync(fileOf(path), 'utf8')
    return holds(mark) ? mark : undefined
  } catch {
    return undefined
  }
}

/** Whether a process has the embedded PostgreSQL of this data directory, or is about to. */
export const isClaimed = (dataDir: string): boolean => ownerOf(join(resolve(dataDir), 'postgres')) !== undefined

const PATIENCE = 30_000
const BETWEEN = 50

/** Takes the place for this process; waits for another one to leave it. Gives the way to leave it oneself. */
export const claimPlace = async (path: string, signal: AbortSignal | undefined): Promise<() => void> => {
  const file = fileOf(path)
  // A server that is lost is closed after the next one has begun: each has its own claim.
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
