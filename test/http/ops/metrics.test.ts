import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../../server/base/version.ts'
import { createMeter } from '../../../server/metrics/meter.ts'
import { createRandom } from '../../kit/random.ts'
import { ask, post, rpcRequest } from '../../kit/service/client.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { open, rawPost, rawRequest, readAnswer } from '../raw.ts'

let server: Transport
beforeAll(async () => {
  server = await startTransport({ metrics: 'local' })
})
afterAll(() => server.close())

/** Samples of a scrape by name and labels as they stand. */
const scrape = async (url = server.url): Promise<Map<string, number>> => {
  const text = (await ask(`${url}/metrics`)).text
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))] as const)
  return new Map(samples)
}
const send = (method: string, params: object = {}) => post(`${server.url}/jsonRPC`, rpcRequest(method, params))

describe('the meter', () => {
  it('the meter counts answers, failures by status and cache hits', () => {
    const meter = createMeter()
    const calls = meter.calls('local', 'getShards')
    calls.hit()
    calls.done(undefined, 3)
    calls.done('INVALID_PARAMS', 0.2)
    calls.done('MISSING_INPUT', 20_000)
    expect(meter.calls('local', 'getShards')).toBe(calls)
    meter.calls('local', 'neverCalled')
    const [figures, ...rest] = meter.figures().calls
    expect(rest).toEqual([])
    expect(figures).toMatchObject({ answers: { labels: { network: 'local', method: 'getShards' } }, hits: 1 })
    expect([...figures!.answers.statuses]).toEqual([
      [200, 2],
      [422, 1],
      [401, 1],
    ])
    expect(figures!.answers.counts).toEqual([2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    expect(figures!.answers.sum).toBeCloseTo(20_003.2)
  })
})

describe('/metrics', () => {
  it('/metrics is text that Prometheus reads: every sample belongs to an announced metric', async () => {
    const answer = await ask(`${server.url}/metrics`)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = answer.text
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map((match) => [match[1]!, match[2]!]))
    const seen = new Set<string>()
    for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
      const match = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\.)*",?)*\})? (\S+)$/.exec(line)
      expect(match, line).not.toBeNull()
      const base = match![1]!.replace(/_(bucket|sum|count)$/, '')
      expect(types.has(match![1]!) || types.get(base) === 'histogram' || types.get(base) === 'summary', line).toBe(true)
      expect(Number.isNaN(Number(match![3])) && match![3] !== 'Nan' && match![3] !== '+Inf', line).toBe(false)
      const series = line.slice(0, line.lastIndexOf(' '))
      expect(seen.has(series), series).toBe(false)
      seen.add(series)
    }
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'tonway_build_info',
      'tonway_ready',
      'tonway_head_seqno',
    ])
      expect(types.get(name), name).toBe('gauge')
  })

  it('/metrics counts calls over every transport by method and status, and histograms add up', async () => {
    const before = await scrape()
    await ask(`${server.url}/api/v2/getShards?seqno=1`)
    await send('getShards', { seqno: 2 })
    await send('getShards', {})
    await ask(`${server.url}/api/v2/count`)
    await ask(`${server.url}/api/v2/count`)
    for (const path of ['/', '/health', '/ready', '/status', '/openrpc.json', '/openapi.json'])
      expect((await ask(`${server.url}${path}`)).status).toBe(200)
    const after = await scrape()
    const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(more('tonway_calls_total{network="local",method="getShards",status="200"}')).toBe(2)
    expect(more('tonway_calls_total{network="local",method="getShards",status="422"}')).toBe(1)
    expect(more('tonway_calls_total{network="local",method="count",status="200"}')).toBe(2)
    expect(more('tonway_call_cache_hits_total{network="local",method="count"}')).toBe(1)
    expect(more('tonway_http_requests_total{door="v2",status="200"}')).toBe(3)
    expect(more('tonway_http_requests_total{door="jsonRPC",status="200"}')).toBe(2)
    // The scrape before is counted too.
    expect(more('tonway_http_requests_total{door="other",status="200"}')).toBe(7)
    expect(after.get('tonway_call_duration_seconds_bucket{le="+Inf",network="local",method="getShards"}')).toBe(
      after.get('tonway_call_duration_seconds_count{network="local",method="getShards"}'),
    )
    const buckets = [...after]
      .filter(([name]) => name.startsWith('tonway_call_duration_seconds_bucket') && name.includes('"getShards"'))
      .map(([, value]) => value)
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b))
  })

  it('/metrics has few labels whatever callers send, and no key among them', async () => {
    const key = 'k3y-that-nobody-may-see'
    for (let i = 0; i < 50; i++) {
      await send(`noSuch${i}`)
      await ask(`${server.url}/nowhere/${i}?api_key=${key}`, { headers: { 'X-API-Key': key, 'User-Agent': `agent${i}` } })
    }
    const text = (await ask(`${server.url}/metrics?api_key=${key}`)).text
    expect(text).not.toContain(key)
    expect(text).not.toMatch(/noSuch|nowhere|agent\d/)
    expect(text).toContain('tonway_calls_total{network="local",method="unknown",status="404"} 50')
    expect((text.match(/^tonway_http_requests_total/gm) ?? []).length).toBeLessThan(30)
  })

  it('/metrics is for callers on this machine unless a setting says otherwise', async () => {
    const get = (headers: string) => rawRequest(server.url, `GET /metrics HTTP/1.1\r\n${headers}\r\n\r\n`)
    expect((await get('Host: localhost')).status).toBe(200)
    for (const headers of [
      'Host: evil.example',
      'Host: localhost\r\nX-Forwarded-For: 1.2.3.4',
      'Host: localhost\r\nVia: 1.1 proxy',
      'Host: localhost\r\nOrigin: https://evil.example',
    ])
      expect([headers, (await get(headers)).status]).toEqual([headers, 403])
    const all = await startTransport({ metrics: 'all' })
    const off = await startTransport({ metrics: 'off' })
    try {
      expect((await rawRequest(all.url, 'GET /metrics HTTP/1.1\r\nHost: public.example\r\n\r\n')).status).toBe(200)
      expect((await ask(`${off.url}/metrics`)).status).toBe(404)
    } finally {
      await Promise.all([all.close(), off.close()])
    }
  })

  const ports = createRandom(process.pid)
  /** With figures on a port of their own: one below those that the system gives away by itself, and another where it is taken. */
  const startWithPort = async (): Promise<{ own: Transport; port: number }> => {
    for (;;) {
      const port = 10_000 + ports.below(20_000)
      try {
        return { own: await startTransport({ metrics: port }), port }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      }
    }
  }

  it('/metrics on a port of its own is on no other port', async () => {
    const { own, port } = await startWithPort()
    try {
      expect((await ask(`${own.url}/metrics`)).status).toBe(404)
      expect((await ask(`http://127.0.0.1:${port}/metrics`)).text).toContain(`tonway_build_info{version="${VERSION}"} 1`)
      for (const path of ['/', '/status', '/jsonRPC']) expect((await ask(`http://127.0.0.1:${port}${path}`)).status).toBe(404)
    } finally {
      await own.close()
    }
    await expect(ask(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  })

  it('/metrics counts callers that hang up before their answer as such', async () => {
    const socket = await open(server.url)
    socket.write(rawPost('/api/v2/slow', '{"ms":1000}'))
    await expect.poll(() => server.peak.now).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(async () => (await scrape()).get('tonway_http_requests_total{door="v2",status="499"}')).toBe(1)
    const again = await open(server.url)
    const answer = readAnswer(again)
    again.write(rawPost('/api/v2/slow', '{"ms":1}'))
    expect((await answer).status).toBe(200)
    again.destroy()
  })
})
