import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { childrenOf } from '../../kit/service/process.ts'

/* What a service and its PostgreSQL take of the machine, as Linux tells it. */

/** Milliseconds of a clock tick of /proc. */
const TICK_MS = 10

/** Processor time of a process, and `withEnded` that of its children that have ended. */
const timeOf = (pid: number, withEnded: boolean): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number)
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, ticks) => sum + ticks, 0) * TICK_MS
}

/** MiB of a process that are its own, and its part of what several share. */
const memoryOf = (pid: number): number => Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1024

/** The value of each process; those that have ended meanwhile have none. */
const sumOf = (pids: readonly number[], value: (pid: number) => number): number =>
  pids.reduce((sum, pid) => {
    try {
      return sum + value(pid)
    } catch {
      return sum
    }
  }, 0)

/** MiB of the files in a folder. Those that are removed meanwhile have none. */
const megabytesOf = (folder: string): number => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = files.map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
  return bytes.reduce((sum, size) => sum + size, 0) / 2 ** 20
}

export interface Costs {
  /** performance.now() */
  readonly at: number
  /** Milliseconds of processor time since the start. */
  readonly service: number
  readonly postgres: number
  /** MiB in memory. */
  readonly serviceMemory: number
  readonly postgresMemory: number
}

/** What a process has started, and what that has started. A service starts its PostgreSQL and nothing else. */
export const descendantsOf = (pid: number): readonly number[] => childrenOf(pid, '').flatMap((child) => [child, ...descendantsOf(child)])

/** `pid`: the service, which has started the PostgreSQL. */
export const costsOf = (pid: number): Costs => {
  const postgres = descendantsOf(pid)
  return {
    at: performance.now(),
    service: timeOf(pid, false),
    postgres: sumOf(postgres, (each) => timeOf(each, true)),
    serviceMemory: sumOf([pid], memoryOf),
    postgresMemory: sumOf(postgres, memoryOf),
  }
}

/** MiB on the disk. */
export const diskOf = (dataDir: string): { readonly all: number; readonly wal: number } => ({
  all: megabytesOf(dataDir),
  wal: megabytesOf(join(dataDir, 'postgres', 'cluster', 'pg_wal')),
})
