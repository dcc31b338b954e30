import { Script } from 'node:vm'
import { Fault } from '../../server/base/fault.ts'
import { ExecutorError } from '../../server/tvm/executor/error.ts'
import { VmException } from '../../server/tvm/machine/exceptions.ts'
import { TonError } from '../../shared/errors.ts'
import { createRandom, type Random } from '../kit/random.ts'

/* Runs readers on bombs. */

/** A reader with a way to make bombs for it. */
export interface Target {
  readonly name: string
  /** A call of the reader with the bomb of this number; undefined if the bomb did not fit into a cell. Making it is not timed. */
  readonly arm: (random: Random, number: number) => (() => unknown) | undefined
}

export interface Finding {
  readonly target: string
  readonly seed: number
  readonly reason: string
}

export interface AttackResult {
  /** Calls that ended, and how many of them gave a value. */
  calls: number
  values: number
  readonly findings: Finding[]
  /** The longest call of each target, in milliseconds of processor time of this process. */
  readonly slowest: Map<string, { readonly ms: number; readonly seed: number }>
}

/** Milliseconds after which a call is stopped. A bomb takes for ever, not twice as long as it may. */
const STOP_MS = 3000

const scope = { run: (): unknown => undefined }
/** The only thing that stops a loop in this thread is the time limit of a script, so the call goes through a script. */
const stoppable = new Script('run()')

/** The errors by which readers refuse a cell. */
const TYPED = [Fault, TonError, ExecutorError, VmException]

type Outcome = { readonly kind: 'value' | 'refused' } | { readonly kind: 'stopped' | 'error'; readonly reason: string }

const outcomeOf = (run: () => unknown): Outcome => {
  scope.run = run
  try {
    stoppable.runInNewContext(scope, { timeout: STOP_MS })
    return { kind: 'value' }
  } catch (error) {
    if (TYPED.some((type) => error instanceof type)) return { kind: 'refused' }
    const { code, stack } = error as { readonly code?: string; readonly stack?: string }
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { kind: 'stopped', reason: `did not end in ${STOP_MS} ms` }
    return { kind: 'error', reason: `an error without a type: ${stack ?? String(error)}` }
  } finally {
    scope.run = () => undefined
  }
}

/** The processor time of a call, or the time on the clock if that is less: other threads of the process work as well. */
const timed = (run: () => unknown): { readonly outcome: Outcome; readonly ms: number } => {
  const [cpu, clock] = [process.cpuUsage(), performance.now()]
  const outcome = outcomeOf(run)
  const { user, system } = process.cpuUsage(cpu)
  return { outcome, ms: Math.min((user + system) / 1000, performance.now() - clock) }
}

/** Calls each target with `count` bombs. A call that takes longer than `limitMs` each time is a finding, and so is an error that is not the reader's own. */
export const attack = (targets: readonly Target[], count: number, firstSeed: number, limitMs: number): AttackResult => {
  const result: AttackResult = { calls: 0, values: 0, findings: [], slowest: new Map() }
  for (const { name, arm } of targets) {
    for (let number = 0; number < count; number++) {
      const seed = firstSeed + number
      const make = () => arm(createRandom(seed), number)
      const run = make()
      if (run === undefined) continue
      let { outcome, ms } = timed(run)
      for (let again = outcome.kind === 'stopped' ? 1 : 0; again < 2 && ms > limitMs; again++) {
        // Perhaps a collection of garbage. What was read before may be remembered, so the bomb is made anew.
        const repeated = timed(make()!)
        if (repeated.ms < ms) [outcome, ms] = [repeated.outcome, repeated.ms]
      }
      result.calls++
      if (outcome.kind === 'value') result.values++
      if (ms > (result.slowest.get(name)?.ms ?? 0)) result.slowest.set(name, { ms, seed })
      const reason = 'reason' in outcome ? outcome.reason : ms > limitMs ? `took ${ms.toFixed(0)} ms` : undefined
      if (reason === undefined) continue
      result.findings.push({ target: name, seed, reason })
      // One is enough: each of them takes seconds.
      break
    }
  }
  return result
}
