import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCollector } from '../../kit/service/collector.ts'
import { builtService } from '../../kit/service/process.ts'

/* The built service with and without a collector. test/v3/documents/tracing.test.ts looks at the spans. */

const FLAGS = [
  '--port',
  '0',
  '--liteserver-port',
  'off',
  '--block-time',
  '0',
  '--index',
  'off',
  '--log-format',
  'json',
  '--access-log',
  'on',
]

let folder: string
let env: Record<string, string>
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-tracing-'))
  const counter = join(folder, 'counter.cjs')
  writeFileSync(
    counter,
    `process.on('exit', () => console.log('LOADED ' + Object.keys(require.cache).filter((name) => name.includes('@opentelemetry')).length))`,
  )
  env = { NODE_OPTIONS: `--require=${counter}` }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts the service, makes a call, and ends it by SIGTERM. */
const callOnce = async (more: Record<string, string>, argv: readonly string[] = []) => {
  const service = builtService.start([...FLAGS, ...argv], { env: { ...env, ...more } })
  const url = await service.ready
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const answer = await fetch(`${url}/api/v2/getMasterchainInfo`, { headers: { traceparent } })
  expect(answer.status).toBe(200)
  service.child.kill('SIGTERM')
  const ended = await service.ended
  return { ...ended, loaded: Number(/LOADED (\d+)/.exec(ended.out)?.[1]), response: answer.headers.get('traceresponse') }
}

describe('the built service', () => {
  it('without an endpoint no package of OpenTelemetry is loaded, and nothing is said', async () => {
    const { code, loaded, response, err } = await callOnce({})
    expect([code, loaded, response]).toEqual([0, 0, null])
    expect(err).not.toContain('trace_id')
  })

  it('with an endpoint its last spans have arrived when it has ended, with the headers and attributes of the operator', async () => {
    const collector = await startCollector()
    const { code, loaded, err } = await callOnce({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_SERVICE_NAME: 'my-tonway',
    })
    expect(code).toBe(0)
    expect(loaded).toBeGreaterThan(0)
    const span = collector.spans.find(({ name }) => name === 'getMasterchainInfo')
    expect(span).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c', resource: { 'service.name': 'my-tonway' } })
    expect(span?.resource).toMatchObject({ 'deployment.environment.name': 'test' })
    expect(collector.headers()).toMatchObject({ authorization: 'Bearer x' })
    expect(err).toContain('"trace_id":"0af7651916cd43dd8448eb211c80319c"')
    await collector.close()
  })

  it('a collector that never answers holds up neither calls nor the end', async () => {
    const { code } = await callOnce({}, ['--otel-exporter-otlp-endpoint', 'http://127.0.0.1:9'])
    expect(code).toBe(0)
  })
})
