import { Agent, request } from 'node:http'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../../server/cell/cell.ts'
import { stdAddress } from '../../../server/tlb/address.ts'
import { createInline } from '../../../server/tvm/inline.ts'
import type { GetMethodRequest } from '../../../server/tvm/tvm.ts'
import { configOf } from '../../tvm/oracle/configs.ts'
import type { Bench } from '../bench.ts'
import { dial, seqnoRequest } from '../load.ts'
import { type Service, startService } from '../service.ts'

/* Get-methods as callers meet them beside those of others, and what they do to the thread that serves. */

const walletOf = async (service: Service): Promise<string> =>
  (await service.rpc<{ wallets: { address: string }[] }>('local.wallets')).wallets[0]!.address

const codeOf = (hex: string): Cell => beginCell().storeBytes(Buffer.from(hex, 'hex')).end()

/** Endless loops, from the first instruction of a get-method on. */
const LOOPS = {
  // DROP, PUSHINT 0, PUSHCONT { INC }, AGAIN
  'plain loops': '307091a4ea',
  // DROP, PUSHCONT { PUSHINT 7, RIST255_MULBASE, DROP }, AGAIN
  'loops over a curve': '309477f92530ea',
} as const
const LOOPING = 8

const quantile = (values: readonly number[], q: number): number => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * q)]!

/** Milliseconds of a caller's `seqno`, one after the other. */
const seqnoTimes = async (service: Service, address: string, count: number): Promise<number[]> => {
  const line = await dial(service.url, '127.0.0.2')
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const bytes = Buffer.from(seqnoRequest(address, n))
    const start = performance.now()
    await line.ask(bytes)
    times.push(performance.now() - start)
  }
  line.close()
  return times
}

const bocOf = (hex: string): string => Buffer.from(serializeBoc(codeOf(hex))).toString('base64')

/** Resolves with the end of an answer, whatever it says. */
const answered = (url: string, agent: Agent, params: object): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/jsonRPC`, { method: 'POST', agent }, (response) => response.resume().on('end', resolve))
    sent.on('error', reject)
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'runGetMethod', params }))
  })

/** Keeps eight callers asking for endless get-methods until the returned function is called. */
const startLoops = async (service: Service, addresses: readonly string[]): Promise<() => Promise<void>> => {
  let going = true
  const caller = async (address: string, i: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, localAddress: `127.0.1.${i + 1}` })
    // A run that its deadline ended is a fair answer.
    for (let n = 0; going; n++) await answered(service.url, agent, { address, method: n, stack: [] })
    agent.destroy()
  }
  const all = Promise.all(addresses.map(caller))
  return async () => {
    going = false
    await all
  }
}

/** Milliseconds by which the slowest twentieth of a caller's `seqno` is later beside eight looping get-methods of others. */
const besideLoops = (name: string, hex: string): Bench => ({
  name: `${LOOPING} ${name} of others: what they add to a caller's seqno, p95`,
  target: { atMost: 20, unit: 'ms' },
  async measure() {
    const service = await startService()
    try {
      const address = await walletOf(service)
      const addresses = Array.from({ length: LOOPING }, (_, i) => `0:${(i + 1).toString(16).padStart(64, '0')}`)
      for (const each of addresses) {
        await service.rpc('local.setAccount', { address: each, balance: '1000000000', code: bocOf(hex), data: bocOf('') })
      }
      await seqnoTimes(service, address, 3_000)
      const idle = quantile(await seqnoTimes(service, address, 1_000), 0.95)
      const stop = await startLoops(service, addresses)
      await seqnoTimes(service, address, 100)
      const busy = quantile(await seqnoTimes(service, address, 500), 0.95)
      await stop()
      return { ours: busy, yardstick: idle, ratio: busy - idle, unit: 'ms' }
    } finally {
      await service.close()
    }
  },
})

/** Get-methods that hold a thread for as long as they may. */
const HEAVY = {
  ...LOOPS,
  // DROP, NULL, PUSHCONT { SINGLE }, AGAIN: a tuple in a tuple in a tuple
  'a deep tuple': '306d926f01ea',
  // DROP, PUSHINT 0, PUSHCONT { DUP }, AGAIN: a stack without an end
  'a long stack': '30709120ea',
  // DROP, NEWC, ENDC, PUSHCONT { NEWC, STREF, ENDC }, AGAIN: a cell that becomes too deep
  'a deep cell': '30c8c993c8ccc9ea',
} as const
const TRIES = 200

/** How long the thread that asks is held by heavy get-methods: from the call to the next turn of the event loop. */
const held: Bench = {
  name: 'longest time that a get-method holds the calling thread, p99 of 1,000 heavy ones',
  target: { atMost: 5, unit: 'ms' },
  async measure() {
    const config = configOf(15, 'usual')
    const times: number[] = []
    for (const hex of Object.values(HEAVY)) {
      const asked: GetMethodRequest = {
        config,
        stack: [],
        code: codeOf(hex),
        data: EMPTY_CELL,
        methodId: 85_143,
        address: stdAddress(0, Buffer.alloc(32, 1)),
        balance: 1_000_000_000n,
        now: 1_790_000_000,
        randomSeed: Buffer.alloc(32, 1),
        gasLimit: 4_000_000n,
      }
      for (let i = 0; i < TRIES + 10; i++) {
        // Each forgets what it learned, so that every run is tried here.
        const inline = createInline()
        const start = performance.now()
        const result = inline.run(asked, new AbortController().signal)
        await new Promise((resolve) => setImmediate(resolve))
        if (i >= 10) times.push(performance.now() - start)
        await result
      }
    }
    return { ours: quantile(times, 0.99), yardstick: quantile(times, 1), ratio: quantile(times, 0.99), unit: 'ms' }
  },
}

export const benches: readonly Bench[] = [...Object.entries(LOOPS).map(([name, hex]) => besideLoops(name, hex)), held]
