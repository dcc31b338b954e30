import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/* Marks that identify a process: its pid, machine and start time. A pid alone is not enough, because pids are reused. */

export const machine = hostname().replace(/[^A-Za-z0-9.]/g, '_')

/** Fields of the stat of a process or a thread after the command, which can contain spaces; none if the system does not provide them. */
export const statOf = (of: number | string): readonly string[] => {
  try {
    return readFileSync(`/proc/${of}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

/** Start time of a process in clock ticks of the kernel; empty if the system does not provide it. */
const startOf = (pid: number): string => statOf(pid)[19] ?? ''

/** Returns whether a process with this id is running. A zombie, which its parent has not waited for (common in containers), counts as not running. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !/^[ZX]/.test(statOf(pid)[0] ?? '')
}

export const ownMark = (): string => `${process.pid} ${machine} ${startOf(process.pid)}`

/** Returns whether the process that wrote a mark is still running. A process of another machine (on a shared disk) counts as not running. */
export const isRunning = (mark: string): boolean => {
  const [pid, host, start] = mark.split(' ')
  const number = Number(pid)
  return number > 0 && host === machine && isAlive(number) && startOf(number) === (start ?? '')
}
