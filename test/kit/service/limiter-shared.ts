import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { TICKS } from '../../../server/access/window.ts'
import { buildChild, type ChildProgram } from '../child-program.ts'
import { createRandom } from '../random.ts'
import { type Counted, openJournal } from './limiter-journal.ts'
import { createModel } from './limiter-model.ts'

/* Several processes share limits in one Redis. What Redis decided, and what each process was told or decided itself, is compared with the model. */

export interface RandomOrder {
  readonly url: string
  readonly seed: number
  readonly count: number
  /** Milliseconds that the clocks of the process differ from those of the machine. */
  readonly clock: number
}

/** A call that a process refused without Redis, and when, in milliseconds of the machine. */
export type Refusal = readonly [bucket: string, limit: number, weight: number, at: number]

export interface RandomResult {
  /** Passed calls of each bucket. */
  readonly passed: Readonly<Record<string, number>>
  readonly local: readonly Refusal[]
  /** Calls for which Redis gave no answer in time. */
  readonly failed: number
}

const PROCESSES = 4
/** Most milliseconds that the clock of a process is ahead or behind. */
const CLOCKS = 1e9

const runChild = async ({ file }: ChildProgram, order: RandomOrder): Promise<RandomResult> => {
  const child = fork(file)
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`a process ended with ${code}`)))
  child.send(order)
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [RandomResult]
  await ended.catch(() => {})
  return result
}

/** How often the decisions of Redis differ from the model, and those of the processes from Redis. */
const compare = (journal: readonly Counted[], results: readonly RandomResult[]): number => {
  const model = createModel()
  const refusals = results.flatMap(({ local }) => local).sort((a, b) => a[3] - b[3])
  const passed = new Map<string, number>()
  let mismatches = 0
  let next = 0
  /** Calls that were refused without Redis must not have fitted, with all that Redis had counted by then. The clock of the processes has whole milliseconds. */
  const compareRefusals = (before: number): void => {
    for (; next < refusals.length && refusals[next]![3] + 1 < before; next++) {
      const [bucket, limit, weight, at] = refusals[next]!
      if (model.fits(bucket, (at * TICKS) / 1000, limit, weight)) mismatches++
    }
  }
  for (const { bucket, limit, weight, done, from, tick } of journal) {
    compareRefusals((from * 1000) / TICKS)
    if (done) {
      if (tick === undefined) mismatches++
      else model.charge(bucket, tick, limit, weight)
    } else if (tick === undefined) {
      if (model.fits(bucket, from, limit, weight)) mismatches++
    } else {
      if (!model.take(bucket, tick, limit, weight)) mismatches++
      passed.set(bucket, (passed.get(bucket) ?? 0) + 1)
    }
  }
  compareRefusals(Number.POSITIVE_INFINITY)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  let missing = 0
  for (const [bucket, count] of passed) {
    if (bucket === 'warm:up') continue
    const sum = results.reduce((all, result) => all + (result.passed[bucket] ?? 0), 0)
    if (sum > count) mismatches += sum - count
    missing += Math.max(0, count - sum)
  }
  // Redis may have counted a call whose answer came too late.
  return mismatches + Math.max(0, missing - failed)
}

/** Lets four processes send so many random operations to a new Redis. Returns how often they or Redis differ from the model. */
export const countSharedMismatches = async (url: string, seed: number, count: number): Promise<number> => {
  const random = createRandom(seed)
  const program = await buildChild('test/kit/service/limiter-random-child.ts')
  const client = new Redis(url)
  try {
    const journal = await openJournal(url)
    try {
      const orders = Array.from({ length: PROCESSES }, () => {
        const clock = Math.round((random.fraction() * 2 - 1) * CLOCKS)
        return { url, seed: random.below(2 ** 32), count: count / PROCESSES, clock }
      })
      const results = await Promise.all(orders.map((order) => runChild(program, order)))
      const counted = await journal.read((text) => client.echo(text))
      // Where Redis was hardly asked nothing was compared.
      if (counted.length < count / 10) throw new Error(`of ${count} operations Redis was asked for ${counted.length}`)
      return compare(counted, results)
    } finally {
      journal.close()
    }
  } finally {
    client.disconnect()
    program.remove()
  }
}
