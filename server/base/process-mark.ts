import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/* Marks that say which process has a directory: pid, machine and when it began, since a pid alone is given to another process sooner or later. */

/** The machine's name, fit for a file's. */
export const machine = hostname().replace(/[^A-Za-z0-9.]/g, '_')

/** When a process began, in the kernel's ticks. Empty where it cannot be told. */
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

/** Whether there is a process of this id; a zombie (its parent never asked for it, as in many containers) is none. */
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

/** Whether the process that left a mark is at work still. On another machine (a shared disk) that cannot be told: taken as not. */
export const holds = (mark: string): boolean => {
  const [pid, host, start] = mark.split(' ')
  const number = Number(pid)
  return number > 0 && host === machine && isAlive(number) && startOf(number) === (start ?? '')
}
