import type { Bench, Rig } from './bench.ts'
import { startLeast } from './least.ts'
import { getRequest, load, postRequest } from './load.ts'
import { startService } from './service.ts'

/* The transports against node:http itself. Servers run in processes of their own; the client does the same in both runs. */

const startBare = async (answer: Response, parse: boolean): ReturnType<typeof startLeast> => {
  const body = await answer.text()
  // node adds these itself, on both sides.
  const own = new Set(['date', 'connection', 'keep-alive'])
  return startLeast('same', { headers: Object.fromEntries([...answer.headers].filter(([name]) => !own.has(name))), body, parse })
}

const PATH = '/api/v2/getMasterchainInfo'
const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'getMasterchainInfo', params: {} })
const plain = { 'Accept-Encoding': 'identity' }
const COUNT = 20_000
/** Calls of the batches' line: enough that connecting does not count. */
const CALLS = 50_000
const BATCH = 50

/** Ours against the bare server that answers as ours did. */
const againstBare = (request: string, ask: (url: string) => Promise<Response>, parse: boolean) => async (): Promise<Rig> => {
  const service = await startService()
  const sample = await ask(service.url)
  if (sample.status !== 200 || sample.headers.get('x-request-id') === null) throw new Error('not the answer to be measured')
  const bare = await startBare(sample, parse)
  return {
    ours: () => load(service.url, request, COUNT),
    yardstick: () => load(bare.url, request, COUNT),
    processorMs: (side) => (side === 'ours' ? service.cpu() : bare.cpu()),
    async close() {
      bare.stop()
      await service.close()
    },
  }
}

const single = JSON.stringify(call(1))
const batch = JSON.stringify(Array.from({ length: BATCH }, (_, id) => call(id)))

const cachedGet: Bench = {
  name: 'cached GET getMasterchainInfo, against bare node:http',
  target: { atLeast: 0.4 },
  basis: 'server',
  setups: 3,
  warmUps: 3,
  setup: againstBare(getRequest(PATH), (url) => fetch(`${url}${PATH}`, { headers: plain }), false),
}

const singlePost: Bench = {
  name: 'POST /jsonRPC, against bare node:http that parses',
  target: { atLeast: 0.4 },
  basis: 'server',
  setups: 3,
  warmUps: 3,
  setup: againstBare(
    postRequest('/jsonRPC', single),
    (url) => fetch(`${url}/jsonRPC`, { method: 'POST', body: single, headers: plain }),
    true,
  ),
}

const batches: Bench = {
  name: `calls in batches of ${BATCH}, against singles`,
  target: { atLeast: 6 },
  basis: 'wall',
  setups: 3,
  warmUps: 2,
  async setup() {
    const service = await startService()
    return {
      ours: () => load(service.url, postRequest('/jsonRPC', batch), CALLS / BATCH),
      yardstick: () => load(service.url, postRequest('/jsonRPC', single), CALLS),
      close: () => service.close(),
    }
  },
}

const asAgent = (url: string, message: string): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    body: message,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
  })

/** Milliseconds of a call. */
const timeOf = async (ask: () => Promise<Response>): Promise<number> => {
  const began = performance.now()
  const text = await (await ask()).text()
  if (text.includes('"error":') || text.includes('isError')) throw new Error(`unexpected answer: ${text}`)
  return performance.now() - began
}

const middleOf = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1]!

const mcpCall: Bench = {
  name: 'a call over MCP, above the same call over JSON-RPC',
  target: { atMost: 5, unit: 'ms' },
  basis: 'wall',
  async measure() {
    const service = await startService()
    const tool = JSON.stringify({ ...call(1), method: 'tools/call', params: { name: 'getMasterchainInfo', arguments: {} } })
    const overMcp = (): Promise<Response> => asAgent(service.url, tool)
    const overRpc = (): Promise<Response> => fetch(`${service.url}/jsonRPC`, { method: 'POST', body: single })
    try {
      const pairs: { readonly own: number; readonly other: number }[] = []
      for (let i = 0; i < 600; i++) pairs.push({ own: await timeOf(overMcp), other: await timeOf(overRpc) })
      // The first half warms both.
      const late = pairs.slice(pairs.length / 2)
      const [ours, yardstick] = [middleOf(late.map(({ own }) => own)), middleOf(late.map(({ other }) => other))]
      return { ours, yardstick, ratio: ours - yardstick, unit: 'ms' }
    } finally {
      await service.close()
    }
  },
}

export const benches: readonly Bench[] = [cachedGet, singlePost, batches, mcpCall]
