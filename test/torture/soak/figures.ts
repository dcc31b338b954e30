import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { until } from '../../kit/wait.ts'

/* Figures of a running process: memory that it cannot give back, and open descriptors. */

/** Bytes of a service after its main thread has collected its garbage (kit/service/collecting.mjs). */
export interface Collected {
  readonly heap: number
  readonly external: number
  readonly rss: number
}

/** `file`: where the service writes it. */
export const collectIn = async (pid: number, file: string): Promise<Collected> => {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  await until(() => existsSync(file), 20)
  return JSON.parse(readFileSync(file, 'utf8')) as Collected
}

/** Slope of the line that fits best. */
export const slopeOf = (points: readonly (readonly [x: number, y: number])[]): number => {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const [above, below] = points.reduce(([a, b], point) => [a + (point[0] - x) * (point[1] - y), b + (point[0] - x) ** 2], [0, 0])
  return above! / below!
}

const KINDS = ['sockets', 'files', 'others'] as const
export type Descriptors = Readonly<Record<(typeof KINDS)[number], number>>

const kindOf = (target: string): (typeof KINDS)[number] =>
  target.startsWith('socket:') ? 'sockets' : target.startsWith('/') && !target.startsWith('/dev/') ? 'files' : 'others'

/** Open descriptors of a process by what they are. */
export const descriptorsOf = (pid: number): Descriptors => {
  const counts = { sockets: 0, files: 0, others: 0 }
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    try {
      counts[kindOf(readlinkSync(`/proc/${pid}/fd/${name}`))]++
    } catch {
      // It was closed meanwhile.
    }
  }
  return counts
}

export const areNoMore = (now: Descriptors, before: Descriptors): boolean => KINDS.every((kind) => now[kind] <= before[kind])

export const textOf = (descriptors: Descriptors): string => KINDS.map((kind) => `${descriptors[kind]} ${kind}`).join(', ')
