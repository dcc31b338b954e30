import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/* Marks that say which process uses a directory: its pid, machine and start time. A pid alone is not enough, because it is reused. */

/** The machine's name in a form that a file name can have. */
export const machine = hostname().replace(/[^A-Za-z0-9.]/g, '_')

/** Start time of a process in the kernel's ticks; empty if the system does not show it. */
const startOf = (pid: number): string => {
  try {
    // After the command in parentheses the 20th field, counting the state as the first.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[19] ?? ''
  } catch {
    return ''
  }
}

/** Whether a process with this id is running. A zombie, which its parent has not waited for (common in containers), is not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    return !/^.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** The mark of this process. */
export const ownMark = (): string => `${process.pid} ${machine} ${startOf(process.pid)}`

/** Whether the process that left a mark is still running. A process of another machine (a shared disk) is taken as not running. */
export const isRunning = (mark: string): boolean => {
  const [pid, host, start] = mark.split(' ')
  const number = Number(pid)
  return number > 0 && host === machine && isAlive(number) && startOf(number) === (start ?? '')
}
