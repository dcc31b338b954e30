import * as z from 'zod'
import { answering } from '../../../server/base/answer.ts'
import { addHeader, type Call } from '../../../server/base/call.ts'
import type { Log } from '../../../server/base/log.ts'
import { silentLog } from '../../../server/base/log.ts'
import type { UnreadLimits } from '../../../server/base/writer/unread.ts'
import type { HeadKey } from '../../../server/dispatch/answer-cache.ts'
import { createCache } from '../../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../../server/dispatch/pipeline.ts'
import type { Gate, Outcome } from '../../../server/dispatch/types.ts'
import { createHttp, type Http, type HttpDeps } from '../../../server/http/http.ts'
import type { Times } from '../../../server/http/limits.ts'
import type { MetricsAccess } from '../../../server/http/ops/metrics.ts'
import type { NetworkFigures } from '../../../server/metrics/figures.ts'
import { createMeter } from '../../../server/metrics/meter.ts'
import { TvmError } from '../../../server/tvm/tvm.ts'
import { TonError } from '../../../shared/errors.ts'
import type { Effect, MethodDef } from '../../../shared/method.ts'
import { registry } from '../../../shared/registry.ts'
import { sleep } from '../wait.ts'

/* The real transports and dispatch over a few test methods. They show what a transport does without a chain. */

const read = { effect: 'read', needs: 'chain', rest: 'GET, POST', weight: 1 } as const

const define = <P extends z.ZodObject, R extends z.core.$ZodType, E extends Effect>(def: MethodDef<P, R, E>): MethodDef<P, R, E> => def

/** Methods that cover what a transport must carry. The real ones among them keep their schemas. */
const testMethods = {
  getMasterchainInfo: registry.getMasterchainInfo,
  getAddressBalance: registry.getAddressBalance,
  getShards: registry.getShards,
  sendBoc: registry.sendBoc,
  detectHash: registry.detectHash,
  'local.wallets': registry['local.wallets'],
  /** Answers a text of `size` characters, with a header of this value. */
  echo: define({
    ...read,
    summary: 'echo',
    params: z.object({ size: z.coerce.number().optional(), header: z.string().optional() }),
    result: z.string(),
    cache: 'never',
  }),
  /** Answers `count` texts of `size` characters, made one after the other. The text at place `fail` throws. */
  pieces: define({
    ...read,
    summary: 'pieces',
    params: z.object({
      count: z.coerce.number(),
      size: z.coerce.number(),
      fail: z.coerce.number().optional(),
      header: z.string().optional(),
    }),
    result: z.array(z.string()),
    cache: 'never',
  }),
  /** Answers after `ms` milliseconds, or gives up when its signal aborts. */
  slow: define({
    ...read,
    summary: 'slow',
    params: z.object({ ms: z.coerce.number() }),
    result: z.string(),
    cache: 'never',
    deadline: 1_500,
  }),
  /** Throws the failure named `how`. */
  fail: define({ ...read, summary: 'fail', params: z.object({ how: z.string() }), result: z.string(), cache: 'never' }),
  /** Counts its runs. */
  count: define({ ...read, summary: 'count', params: z.object({ key: z.string().optional() }), result: z.object({}), cache: 'head' }),
  countFinal: define({ ...read, summary: 'count', params: z.object({ key: z.string().optional() }), result: z.object({}), cache: 'final' }),
  unserved: define({ ...read, summary: 'no handler', params: z.object({}), result: z.string(), cache: 'never' }),
} satisfies Record<string, MethodDef>

const MASTERCHAIN_INFO = {
  '@type': 'blocks.masterchainInfo',
  last: {
    '@type': 'ton.blockIdExt',
    workchain: -1,
    shard: '-9223372036854775808',
    seqno: 47129122,
    root_hash: 'vdyl8HWqg4Gc1lWsCh7xhN9dVVAsbf8FQKnWr0Yn0hA=',
    file_hash: 'd0wMmWuZAOHGmOoNOnu1NHMcjsKPZCjcTUIYXVMGV3E=',
  },
  state_root_hash: 'u5ycJRXFNrHZ6PZbL8T1ELnI0YQ5xBMUHYZ5rXcCKbk=',
  init: {
    '@type': 'ton.blockIdExt',
    workchain: -1,
    shard: '0',
    seqno: 0,
    root_hash: 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=',
    file_hash: 'XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=',
  },
}

type TestHandler = (params: never, call: Call) => Promise<unknown>

const failures: Record<string, () => unknown> = {
  chain: () => new TonError('CHAIN', 'LITE_SERVER_UNKNOWN: cannot apply external message to current state'),
  notFound: () => new TonError('NOT_FOUND', 'transaction was not found'),
  notAToken: () => new TonError('NOT_A_TOKEN', 'Smart contract is not Jetton or NFT'),
  timeout: () => new TonError('SOURCE_TIMEOUT', 'LITE_SERVER_NETWORK timeout'),
  workers: () => new TonError('NO_WORKERS', 'no workers available (archival=0 mode=Single)'),
  deep: () => new TonError('STACK_TOO_DEEP', 'Result stack depth >= 100'),
  limited: () => new TonError('RATE_LIMITED', 'Ratelimit exceeded', { retryAfter: 7 }),
  chain400: () => new TonError('CHAIN_400', 'LITE_SERVER_UNKNOWN: refused'),
  overloaded: () => new TvmError('overloaded', '8 TVM requests are waiting'),
  unknown: () => new Error('the database password is 1234'),
  text: () => 'a thrown text',
}

export interface Transport {
  readonly url: string
  readonly wsUrl: string
  readonly http: Http
  /** Number of runs by handler. */
  readonly runs: Map<string, number>
  /** Texts of `pieces` that were made, and finished answers of it. */
  readonly pieces: { made: number; over: number }
  /** Reasons of the aborted signals that handlers of `slow` saw. */
  readonly aborted: unknown[]
  /** Running calls of `slow`, and their largest number. */
  readonly peak: { now: number; most: number }
  /** The last call that each handler got. */
  readonly calls: Map<string, Call>
  /** Replaces the head, so that cache keys change. */
  setHead(head: HeadKey): void
  close(): Promise<void>
}

export interface TransportOptions {
  readonly log?: Log
  readonly allowLocal?: readonly string[]
  readonly times?: Times
  readonly unread?: UnreadLimits
  readonly inflow?: number
  /** Names of networks; the first is the default. */
  readonly networks?: readonly string[]
  readonly metrics?: MetricsAccess
  readonly accessLog?: boolean
  readonly gate?: Gate
  readonly hub?: HttpDeps['hub']
  readonly mcp?: 'read' | 'write' | 'off'
  /** Figures that differ from those of a healthy network. */
  readonly figures?: (network: string) => Partial<NetworkFigures>
}

const NO_ANSWERS = { entries: 0, bytes: 0, hits: 0, misses: 0 }
const figuresOf = (network: string): NetworkFigures => ({
  network,
  phase: 'ready',
  api_version: '2.2.0',
  head: { seqno: 1, utime: Math.floor(Date.now() / 1000), root_hash: '', epoch: 0 },
  head_age: 0,
  troubles: [],
  v2_troubles: [],
  notes: [],
  cache: { head: NO_ANSWERS, index: NO_ANSWERS, final: NO_ANSWERS },
})

export const headOf = (seqno: number, epoch = 0): HeadKey => ({ epoch, id: { rootHash: new Uint8Array(32).fill(seqno) } })

/** Starts the transports on a free loopback port. */
export const startTransport = async (options: TransportOptions = {}): Promise<Transport> => {
  const runs = new Map<string, number>()
  const calls = new Map<string, Call>()
  const aborted: unknown[] = []
  const peak = { now: 0, most: 0 }
  const pieces = { made: 0, over: 0 }
  async function* texts({ count, size, fail }: { count: number; size: number; fail?: number }): AsyncGenerator<string> {
    try {
      for (let i = 0; i < count; i++) {
        if (i === fail) throw new TonError('CHAIN', 'a piece that fails')
        pieces.made++
        yield `${i === 0 ? '[' : ','}"${'x'.repeat(size)}"`
      }
      yield ']'
    } finally {
      pieces.over++
    }
  }
  const headersOf = ({ header }: { readonly header?: string }) => (header === undefined ? {} : { 'X-Test': header })
  let head = headOf(1)
  const seen = (name: string, call: Call): number => {
    const count = (runs.get(name) ?? 0) + 1
    runs.set(name, count)
    calls.set(name, call)
    return count
  }
  const counting =
    (name: string): TestHandler =>
    async ({ key }: { key?: string }, call) => {
      const run = seen(name, call)
      await sleep(20, undefined, { signal: call.signal })
      return { run, key }
    }
  const handlers: Record<string, TestHandler> = {
    getMasterchainInfo: async (_params, call) => {
      seen('getMasterchainInfo', call)
      return MASTERCHAIN_INFO
    },
    getAddressBalance: async (_params, call) => {
      seen('getAddressBalance', call)
      return '1500000000'
    },
    getShards: async ({ seqno }: { seqno: number }) => ({ '@type': 'blocks.shards', shards: [], seqno }),
    sendBoc: async (_params, call) => {
      seen('sendBoc', call)
      return { '@type': 'ok' }
    },
    detectHash: async () => ({ b64: '', b64url: '', hex: '' }),
    'local.wallets': async () => [],
    echo: async ({ size = 3, header }: { size?: number; header?: string }, call) => {
      if (header !== undefined) addHeader(call, 'X-Test', header)
      return 'x'.repeat(size)
    },
    slow: async ({ ms }: { ms: number }, call) => {
      seen('slow', call)
      call.signal.addEventListener('abort', () => aborted.push(call.signal.reason), { once: true })
      peak.now++
      peak.most = Math.max(peak.most, peak.now)
      try {
        await sleep(ms, undefined, { signal: call.signal })
      } finally {
        peak.now--
      }
      return `slept ${ms}`
    },
    fail: async ({ how }: { how: string }) => {
      if (how === 'bigint') return 1n
      if (how === 'undefined') return undefined
      throw Object.hasOwn(failures, how) ? failures[how]!() : new Error(how)
    },
    count: counting('count'),
    countFinal: counting('countFinal'),
  }
  const meter = createMeter()
  const cache = () => createCache<Outcome>({ entries: 1000, bytes: 1 << 20 })
  const dispatch = createDispatch({
    methods: testMethods,
    handlers: { ...answering(handlers as never), pieces: async (params: never) => ({ pieces: texts(params), headers: headersOf(params) }) },
    head: () => head,
    headCache: cache(),
    finalCache: cache(),
    meter: (name) => meter.calls('local', name),
  })
  const http = createHttp({
    clientAddress: ({ socket }) => socket.remoteAddress ?? '',
    isProxy: () => false,
    dispatch,
    methods: testMethods,
    log: options.log ?? silentLog,
    allowLocal: options.allowLocal ?? [],
    status: {
      networks: () => (options.networks ?? ['local']).map((network) => ({ ...figuresOf(network), ...options.figures?.(network) })),
    },
    meter,
    metrics: options.metrics ?? 'local',
    accessLog: options.accessLog ?? false,
    gate: options.gate,
    hub: options.hub,
    ...(options.mcp && { mcp: options.mcp }),
    networks: (options.networks ?? ['local']).map((name) => ({
      name,
      hosts: [],
      served: Object.keys(testMethods),
      documents: async () => ({
        openapi: async () => JSON.stringify({ openapi: '3.1.0', info: { description: 'x'.repeat(5_000) } }),
        openrpc: async () => '{"openrpc":"1.3.2"}',
        asyncapi: async () => '{"asyncapi":"3.0.0"}',
        llms: async () => '# tonway',
      }),
      globalConfig: async () => undefined,
    })),
    ...(options.times && { times: options.times }),
    ...(options.unread && { unread: options.unread }),
    ...(options.inflow && { inflow: options.inflow }),
  })
  const port = await http.listen('127.0.0.1', 0)
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}/jsonRPC`,
    http,
    runs,
    aborted,
    peak,
    pieces,
    calls,
    setHead: (next) => {
      head = next
    },
    close: () => http.close(500),
  }
}
