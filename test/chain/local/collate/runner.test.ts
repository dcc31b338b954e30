import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginCell } from '../../../../server/cell/builder.ts'
import { commitTo, createLanes, type Lane } from '../../../../server/chain/local/collate/accounts/lanes.ts'
import { createRunner, type Environment, type Job } from '../../../../server/chain/local/collate/run/runner.ts'
import type { Tvm } from '../../../../server/tvm/tvm.ts'

/*
 * The runner against a toy machine: an account is the list of what happened to it, so that any guess made on the wrong state shows. Batches come back
 * in any order and late.
 */

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
const bytes = (value: string): Uint8Array => new Uint8Array(Buffer.from(value))
const environment = {} as Environment

const toyTvm = (workers: number, delays: readonly number[]): { tvm: Tvm; runs: () => number } => {
  let calls = 0
  let runs = 0
  const tvm = {
    stats: () => ({ workers, busy: 0, queued: 0, replaced: 0 }),
    runTransactions: async (requests: Parameters<Tvm['runTransactions']>[0]) => {
      const turns = delays[calls++ % Math.max(1, delays.length)] ?? 0
      const states = new Map<string, string>()
      const results = requests.map(({ shardAccount, account, message }) => {
        runs++
        const before = shardAccount === 'previous' ? states.get(account)! : text(shardAccount)
        const name = text(message!)
        // Messages with a bang are refused and leave the account as it was.
        if (name.endsWith('!')) {
          states.set(account, before)
          return { ok: false as const, error: `${before}|${name}` }
        }
        states.set(account, `${before}${name} `)
        return { ok: true as const, shardAccount: bytes(`${before}${name} `), transaction: bytes(name) }
      })
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
      return results
    },
  } as unknown as Tvm
  return { tvm, runs: () => runs }
}

const root = beginCell().storeUint(1, 8).end()
const commit = (lane: Lane, state: Uint8Array): void =>
  commitTo(lane, { root, lt: 1n, endLt: 2n, totalFees: { grams: 0n }, gasUsed: 0, outMsgs: [] }, state)

interface Plan {
  readonly account: number
  readonly refused: boolean
  /** Messages that this one brings into being when it is committed: how much later, and for whom. */
  readonly sends: readonly { readonly after: number; readonly account: number }[]
}

describe('runner', () => {
  it('gives what one after another would have given, whatever was guessed before', async () => {
    const plan = fc.record({
      account: fc.integer({ min: 0, max: 3 }),
      refused: fc.boolean(),
      sends: fc.array(fc.record({ after: fc.integer({ min: 2, max: 9 }), account: fc.integer({ min: 0, max: 3 }) }), { maxLength: 3 }),
    })
    const scenario = fc.record({
      plans: fc.array(plan, { minLength: 1, maxLength: 90 }),
      workers: fc.integer({ min: 1, max: 3 }),
      delays: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 7 }),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ plans, workers, delays }) => {
        const lanes = createLanes(
          0,
          () => undefined,
          (account) => account,
        )
        const lane = (n: number): Lane => {
          const found = lanes.lane(new Uint8Array(32).fill(n))
          found.boc ??= bytes('')
          return found
        }
        const { tvm } = toyTvm(workers, delays)
        const runner = createRunner({ tvm, environment: () => environment, signal: new AbortController().signal })
        const waiting: { job: Job; plan: Plan; at: number; name: string }[] = []
        const add = (plan: Plan, at: number, name: string): void => {
          const job: Job = {
            lane: lane(plan.account),
            kind: 'message',
            message: bytes(name),
            lt: 0n,
            order: { phase: 0, lt: BigInt(at), hash: name },
          }
          waiting.push({ job, plan, at, name })
          runner.foresee(job)
        }
        plans.forEach((plan, i) => {
          add(plan, i, `m${String(i).padStart(3, '0')}${plan.refused ? '!' : ''}`)
        })
        runner.go()
        const states = new Map<number, string>()
        let made = 0
        while (waiting.length > 0) {
          waiting.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
          const { job, plan, at, name } = waiting.shift()!
          const result = await runner.result(job)
          const before = states.get(plan.account) ?? ''
          if (!result.ok) {
            expect(result.error).toBe(`${before}|${name}`)
            continue
          }
          expect(text(result.shardAccount)).toBe(`${before}${name} `)
          states.set(plan.account, `${before}${name} `)
          commit(job.lane, result.shardAccount)
          for (const { after, account } of plan.sends) {
            if (made++ < 200) add({ account, refused: false, sends: [] }, at + after, `s${String(made).padStart(3, '0')}`)
          }
          runner.go()
        }
      }),
      { numRuns: 150 },
    )
  })

  it('runs nothing twice when everything comes as foreseen', async () => {
    const lanes = createLanes(
      0,
      () => undefined,
      (account) => account,
    )
    const { tvm, runs } = toyTvm(1, [1])
    const runner = createRunner({ tvm, environment: () => environment, signal: new AbortController().signal })
    const jobs = Array.from({ length: 500 }, (_, i): Job => {
      const lane = lanes.lane(new Uint8Array(32).fill(i % 7))
      lane.boc ??= bytes('')
      return { lane, kind: 'message', message: bytes(`m${i}`), lt: 0n, order: { phase: 0, lt: BigInt(i), hash: '' } }
    })
    for (const job of jobs) runner.foresee(job)
    runner.go()
    for (const job of jobs) {
      const result = await runner.result(job)
      if (result.ok) commit(job.lane, result.shardAccount)
    }
    expect(runs()).toBe(500)
  })

  it('hands on what the machine fails with, and what it was stopped for', async () => {
    const lane = createLanes(
      0,
      () => undefined,
      (account) => account,
    ).lane(new Uint8Array(32))
    lane.boc = bytes('')
    const job: Job = { lane, kind: 'message', message: bytes('m'), lt: 0n, order: { phase: 0, lt: 0n, hash: '' } }
    const stats = () => ({ workers: 1, busy: 0, queued: 0, replaced: 0 })
    const broken = { stats, runTransactions: () => Promise.reject(new Error('broken')) } as unknown as Tvm
    const first = createRunner({ tvm: broken, environment: () => environment, signal: new AbortController().signal })
    first.foresee(job)
    await expect(first.result(job)).rejects.toThrow('broken')
    await expect(first.result(job)).rejects.toThrow('broken')
  })
})
