import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../../base/process-identity.ts'

/** Process id of the PostgreSQL server that uses a cluster, from its postmaster.pid; undefined if no server is running. */
export const clusterProcess = (cluster: string): number | undefined => {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  if (!(pid > 0) || !isAlive(pid)) return undefined
  try {
    // The pid may have been reused by another process. The working directory of a PostgreSQL server is its cluster.
    return realpathSync(`/proc/${pid}/cwd`) === realpathSync(cluster) ? pid : undefined
  } catch {
    return process.platform === 'linux' ? undefined : pid
  }
}

/** Sends a signal to a process and waits until the process has ended. Kills the process after `patience` milliseconds. */
export const endProcess = async (pid: number, signal: NodeJS.Signals, patience: number): Promise<void> => {
  const send = (name: NodeJS.Signals): void => {
    try {
      process.kill(pid, name)
    } catch {
      // The process has already ended.
    }
  }
  send(signal)
  for (let waited = 0; isAlive(pid); waited += 10) {
    if (waited === Math.ceil(patience / 10) * 10) send('SIGKILL')
    await sleep(10)
  }
}
