import { readFileSync } from 'node:fs'

/** Milliseconds of a clock tick of /proc. */
const TICK_MS = 10

/** Processor times in /proc/<pid>/stat: its own, and that of its children that have ended. */
const ticksOf = (pid: number): { readonly own: number; readonly ended: number } => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11)
  return { own: user + system, ended: childUser + childSystem }
}

/** Milliseconds of processor time of the children of this process that have ended. */
export const endedTime = (): number => ticksOf(process.pid).ended * TICK_MS

/** Milliseconds of processor time of a PostgreSQL and all its processes, since its start. */
export const serverTime = (pid: number): number => {
  const { own, ended } = ticksOf(pid)
  let ticks = own + ended
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)) {
    try {
      ticks += ticksOf(Number(child)).own
    } catch {
      // It ended in between, and is counted with its parent.
    }
  }
  return ticks * TICK_MS
}
