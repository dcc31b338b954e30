import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { sleep } from '../../kit/wait.ts'
import { descendantsOf } from '../follow/costs.ts'

/* Processes on cores of their own, so that what one of them takes is not taken from the others. */

/** Ticks of all cores so far, and those in which they had nothing to do. */
const ticks = (): readonly [all: number, idle: number] => {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.trim().split(/\s+/).slice(1).map(Number)
  return [fields.reduce((sum, each) => sum + each, 0), fields[3]! + fields[4]!]
}

const LOOK = 1_000
/** Part of the time in which the cores of a quiet machine have nothing to do. */
const QUIET = 0.7

/** Why processes cannot have cores of their own here; undefined if they can. To be asked while those of the line have nothing to do. */
export const whyShared = async (): Promise<string | undefined> => {
  if (availableParallelism() < 2) return 'one core alone'
  if (spawnSync('taskset', ['--version']).status !== 0) return 'no taskset'
  const before = ticks()
  await sleep(LOOK)
  const [all, idle] = ticks().map((each, i) => each - before[i]!) as [number, number]
  return idle / all < QUIET ? `other programs take ${(100 - (idle / all) * 100).toFixed(0)} % of the machine` : undefined
}

/** Milliseconds that the main thread of a process has used; infinite if it has ended. */
export const cpuOf = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** The cores of this process. */
const cores = (): number[] => {
  const list = /: (\S+)/.exec(spawnSync('taskset', ['-pc', String(process.pid)], { encoding: 'utf8' }).stdout)![1]!
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number)
    return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i)
  })
}

/** Pins a process, its threads and what it has started to one of the cores. */
export const pin = (pid: number, core: number): void => {
  for (const each of [pid, ...descendantsOf(pid)]) spawnSync('taskset', ['-apc', String(cores()[core]), String(each)])
}
