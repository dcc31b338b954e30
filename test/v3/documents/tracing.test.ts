import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '../../../server/base/log.ts'
import { startTracing } from '../../../server/base/tracing/tracer.ts'
import { startReceiver } from '../../hooks/receiver.ts'
import { post, rpcRequest } from '../../kit/service/client.ts'
import { type Collector, type ReceivedSpan, startCollector } from '../../kit/service/collector.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'
import { until } from '../../kit/wait.ts'

/* Traces by OTLP: a call through all its parts, over an embedded chain with an index, and over lite-servers. */

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333'

let collector: Collector
let service: V3Service
let remote: Tonway
let stopTracing: (() => Promise<void>) | undefined
const troubles: string[] = []
const lines: Record<string, unknown>[] = []
beforeAll(async () => {
  collector = await startCollector()
  // The service wraps its parts when it starts, if there is a tracer.
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20')
  stopTracing = await startTracing(collector.url, (text) => troubles.push(text))
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  service = await startV3({ liteserverPort: 'auto', accessLog: true, logger: log })
  await service.settle()
  remote = await startTonway({ network: ['copy'], globalConfig: `${service.url}/global.config.json`, trust: 'head' })
})
afterAll(async () => {
  await remote?.close()
  await service?.close()
  await stopTracing?.()
  await collector?.close()
  expect(troubles).toEqual([])
})

/** The spans of what `work` does. They have arrived when those of a later request have. */
const spansOf = async (work: () => Promise<unknown>): Promise<readonly ReceivedSpan[]> => {
  const from = collector.spans.length
  await work()
  const name = `/api/v2/last-${from}`
  await fetch(service.url + name)
  await until(() => collector.spans.some(({ attributes }) => attributes['url.path'] === name))
  return collector.spans.slice(from).filter(({ attributes }) => attributes['url.path'] !== name)
}
const caller = (span = PARENT) => ({ traceparent: `00-${TRACE}-${span}-01`, tracestate: 'vendor=1' })
const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name)
  if (found === undefined) throw new Error(`no span ${name}; there are ${spans.map((span) => span.name).join(', ')}`)
  return found
}

describe('traces', () => {
  it('a call of v3 is one trace below that of its caller: HTTP, call, SQL, and the log has its id', async () => {
    let header: string | null = null
    const spans = await spansOf(async () => {
      const answer = await fetch(`${service.url}/local/api/v3/transactions?limit=3&api_key=secret`, { headers: caller() })
      header = answer.headers.get('traceresponse')
    })
    const own = spans.filter(({ traceId }) => traceId === TRACE)
    const http = named(own, 'GET /api/v3/{path}')
    expect(http).toMatchObject({
      parentSpanId: PARENT,
      kind: 2,
      attributes: {
        'http.request.method': 'GET',
        'url.path': '/local/api/v3/transactions',
        'http.route': '/api/v3/{path}',
        'http.response.status_code': 200,
      },
      resource: { 'service.name': 'tonway', 'service.version': expect.any(String) },
    })
    const call = named(own, 'v3.transactions')
    expect(call).toMatchObject({
      parentSpanId: http.spanId,
      kind: 2,
      attributes: { 'rpc.system.name': 'jsonrpc', 'rpc.method': 'v3.transactions', 'tonway.network': 'local' },
    })
    const sql = own.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql')
    expect(sql.length).toBeGreaterThan(0)
    for (const { kind, parentSpanId, attributes } of sql) {
      expect([kind, parentSpanId]).toEqual([3, call.spanId])
      expect(attributes['db.query.text']).toEqual(expect.any(String))
    }
    expect(sql.map(({ name }) => name)).toContain('SELECT transactions')
    expect(header).toBe(`00-${TRACE}-${http.spanId}-01`)
    expect(lines.filter(({ event, trace_id }) => event === 'http.request' && trace_id === TRACE)).toMatchObject([{ span_id: http.spanId }])
    expect(JSON.stringify(spans)).not.toContain('secret')
  })

  it('each item of a batch is a call of its own, with its run of the TVM, its cache and its error', async () => {
    const run = rpcRequest('runGetMethod', { address: ELECTOR, method: 'active_election_id', stack: [] }, 1)
    const items = [run, rpcRequest('nonsense', {}, 2), rpcRequest('getTransactions', { address: 'x' }, 3), run]
    const spans = await spansOf(async () => {
      await post(`${service.url}/jsonRPC`, items, caller())
      await post(`${service.url}/jsonRPC`, run, caller())
    })
    const tvm = named(spans, 'tvm.get_method')
    expect(tvm).toMatchObject({ kind: 1, attributes: { 'tonway.tvm.exit_code': 0, 'tonway.tvm.gas': expect.any(Number) } })
    const [call] = spans.filter(({ name, spanId }) => name === 'runGetMethod' && spanId === tvm.parentSpanId)
    expect(call?.traceId).toBe(TRACE)
    expect(named(spans, '_OTHER')).toMatchObject({
      attributes: { 'rpc.method_original': 'nonsense', 'error.type': 'METHOD_NOT_FOUND', 'rpc.response.status_code': '-32601' },
    })
    const refused = named(spans, 'getTransactions')
    expect([refused.attributes['error.type'], refused.status.code ?? 0]).toEqual(['INVALID_PARAMS', 0])
    const hits = spans.filter(({ name }) => name === 'cache').map(({ attributes }) => attributes['tonway.cache.hit'])
    expect(hits).toContain(true)
    expect(hits).toContain(false)
    expect(named(spans, 'chain.getAccountState').traceId).toBe(TRACE)
  })

  it('a question to a lite-server names it, and is part of the call that asks', async () => {
    const spans = await spansOf(async () => {
      const answer = await fetch(`${remote.url}/api/v2/getAddressInformation?address=${ELECTOR}`, { headers: caller() })
      expect(answer.status).toBe(200)
    })
    const asked = named(
      spans.filter(({ traceId }) => traceId === TRACE),
      'liteserver.getAccountState',
    )
    expect(asked).toMatchObject({ kind: 3, attributes: { 'server.address': '127.0.0.1', 'server.port': expect.any(Number) } })
    const parent = named(spans, 'chain.getAccountState')
    expect([asked.parentSpanId, parent.parentSpanId]).toEqual([parent.spanId, named(spans, 'getAddressInformation').spanId])
  })

  it('a block that is indexed is a trace of its own, with its statements', async () => {
    const spans = await spansOf(() => service.settle())
    const block = spans.filter(({ name }) => name === 'index.block')
    expect(block.length).toBeGreaterThan(0)
    expect(block[0]!.parentSpanId ?? '').toBe('')
    expect(block[0]!.attributes).toMatchObject({ 'tonway.network': 'local', 'tonway.block.seqno': expect.any(Number) })
    const parts = spans.filter(({ traceId }) => block.some((each) => each.traceId === traceId))
    expect(parts.some(({ attributes }) => attributes['db.system.name'] === 'postgresql')).toBe(true)
    // Upkeep that belongs to no request and no block is not traced.
    expect(spans.filter(({ kind, parentSpanId }) => kind === 3 && (parentSpanId ?? '') === '')).toEqual([])
  })

  it('a delivery of a webhook is a trace of its own, or part of the call that tests the hook, and passes its span on', async () => {
    const receiver = await startReceiver()
    const spans = await spansOf(async () => {
      const { id } = await service.call('hooks.create', { url: `${receiver.url}/secret`, types: ['blocks'] })
      await post(`${service.url}/jsonRPC`, rpcRequest('hooks.test', { id }), caller())
      await service.settle()
      await until(() => receiver.taken().some(({ type }) => type === 'block'))
      await service.call('hooks.delete', { id })
    })
    const posts = spans.filter(({ name }) => name === 'POST')
    const tested = posts.find(({ traceId }) => traceId === TRACE)
    expect(tested).toMatchObject({ kind: 3, parentSpanId: named(spans, 'hooks.test').spanId })
    expect(tested!.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 })
    const delivered = named(spans, 'hooks.deliver')
    expect([delivered.kind, delivered.parentSpanId ?? '']).toEqual([1, ''])
    const sent = receiver.all.map(({ headers }) => headers['traceparent'])
    for (const { traceId, spanId } of posts) expect(sent).toContain(`00-${traceId}-${spanId}-01`)
    expect(posts.some(({ parentSpanId }) => parentSpanId === delivered.spanId)).toBe(true)
    expect(JSON.stringify(spans)).not.toContain('/secret')
    await receiver.close()
  })

  it('a caller who does not sample is not traced, and a traceparent that is none begins a new trace', async () => {
    const get = (traceparent: string) => fetch(`${service.url}/api/v2/getMasterchainInfo`, { headers: { traceparent } })
    const off = await spansOf(() => get(`00-${TRACE}-${PARENT}-00`))
    expect(off.filter(({ traceId }) => traceId === TRACE)).toEqual([])
    for (const bad of ['nonsense', `00-${'0'.repeat(32)}-${PARENT}-01`, `ff-${TRACE}-${PARENT}-01`, 'x'.repeat(5_000)]) {
      const spans = await spansOf(() => get(bad))
      expect(named(spans, 'GET /api/v2/{name}').parentSpanId ?? '').toBe('')
    }
  })

  it('attributes have the names of the semantic conventions, but for those of this service', async () => {
    const known = new Set(Object.entries(conventions).flatMap(([name, value]) => (name.startsWith('ATTR_') ? [value as string] : [])))
    const used = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)))
    expect(used.size).toBeGreaterThan(15)
    expect([...used].filter((name) => !name.startsWith('tonway.') && !known.has(name))).toEqual([])
  })

  it('a collector that refuses or is away is said once in a while, and no call notices', async () => {
    const refusing = await startCollector(400)
    for (const url of [refusing.url, 'http://127.0.0.1:9']) {
      const troubles: string[] = []
      const stop = await startTracing(url, (text) => troubles.push(text))
      expect((await fetch(`${service.url}/api/v2/getMasterchainInfo`)).status).toBe(200)
      const began = performance.now()
      await stop()
      expect(performance.now() - began).toBeLessThan(2_000)
      if (url === refusing.url) expect(troubles.length).toBeGreaterThan(0)
    }
    await refusing.close()
  })
})
