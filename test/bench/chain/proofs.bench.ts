import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Bench } from '../bench.ts'
import { type Service, startService } from '../service.ts'

/* Pages of ten with proofs on the embedded chain, beside the same pages without. */

const accountName = (i: number): string => `0:${(i + 1).toString(16).padStart(64, '0')}`
const p50 = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

const ACCOUNTS = 12
const ROUNDS = 12
const WARM = 600
const CALLS = 600

/** An account with a page of transactions, and others beside it. */
const fill = async (service: Service): Promise<void> => {
  for (let round = 0; round < ROUNDS; round++)
    await service.batch(
      Array.from({ length: ACCOUNTS }, (_, i) => ({ method: 'local.fund', params: { address: accountName(i), amount: '1000' } })),
    )
  await service.rpc('local.mine', { count: 3 })
  for (let tries = 0; tries < 600; tries++) {
    const page = await service
      .rpc<{ transactions: unknown[] }>('v3.transactions', { account: [accountName(0)], limit: ROUNDS })
      .catch(() => undefined)
    if (page?.transactions.length === ROUNDS) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the index did not get the transactions')
}

interface Row {
  readonly block_ref: object
}

/** `blocks`: how many the proof has. */
const page = (name: string, blocks: number, method: string, paramsOf: (service: Service) => Promise<object> | object): Bench => ({
  name: `a page of ten with proofs, ${name}, against the page without`,
  target: { atMost: 5 },
  async measure() {
    const service = await startService({ TONWAY_BLOCK_TIME: '0' })
    try {
      await fill(service)
      const params = await paramsOf(service)
      const { proof } = await service.rpc<{ proof: { blocks: unknown[] } | null }>(method, { ...params, proofs: true })
      if (proof?.blocks.length !== blocks) throw new Error(`a proof with ${proof?.blocks.length} blocks`)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      let i = 0
      // A time of its own for each call, so that no kept answer is sent.
      const ask = (more: object) => {
        const call = { jsonrpc: '2.0', id: 1, method, params: { ...params, ...more, x_timeout: 1_000_000 + i++ } }
        return new Promise((resolve, reject) => {
          const headers = { 'Content-Type': 'application/json' }
          const sent = request(`${service.url}/jsonRPC`, { agent, method: 'POST', headers }, (reply) => {
            buffer(reply).then(resolve, reject)
          })
          sent.on('error', reject)
          sent.end(JSON.stringify(call))
        })
      }
      const kinds = [{ proofs: true }, {}]
      const times = kinds.map((): number[] => [])
      for (let n = 0; n < WARM + CALLS; n++) {
        for (const [kind, more] of kinds.entries()) {
          const start = performance.now()
          await ask(more)
          if (n >= WARM) times[kind]!.push(performance.now() - start)
        }
      }
      const [ours, yardstick] = times.map(p50) as [number, number]
      return { ours, yardstick, ratio: ours / yardstick, unit: 'ms' }
    } finally {
      await service.close()
    }
  },
})

export const benches: readonly Bench[] = [
  page('of an account', 0, 'v3.transactions', () => ({ account: [accountName(0)], limit: 10 })),
  page('of a block', 1, 'v3.transactions', async (service) => {
    const { transactions } = await service.rpc<{ transactions: Row[] }>('v3.transactions', { account: [accountName(0)], limit: 1 })
    return { ...transactions[0]!.block_ref, limit: 10 }
  }),
  page('of states of accounts', 0, 'v3.accountStates', () => ({ address: Array.from({ length: 10 }, (_, i) => accountName(i)) })),
  page('row by row in ten blocks', 10, 'v3.transactions', () => ({ account: [accountName(0)], sort: 'asc', limit: 10 })),
]
