import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/* A receiver of traces by OTLP over HTTP, in place of a collector. */

export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** '' or undefined for the first span of a trace. */
  readonly parentSpanId?: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** Attributes of the process that sent it. */
  readonly resource: Readonly<Record<string, string | number | boolean>>
}

export interface Collector {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` is set to. */
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Headers of the last request. */
  readonly headers: () => Readonly<Record<string, unknown>>
  close(): Promise<void>
}

interface Attribute {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: number | string
    readonly boolValue?: boolean
    readonly doubleValue?: number
  }
}
const attributesOf = (all: readonly Attribute[] = []): ReceivedSpan['attributes'] =>
  Object.fromEntries(
    all.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue)] as const),
  )

/** `status`: what it answers. */
export const startCollector = async (status = 200): Promise<Collector> => {
  const spans: ReceivedSpan[] = []
  let headers: Readonly<Record<string, unknown>> = {}
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    headers = req.headers
    const body = Buffer.concat(chunks)
    if (req.url === '/v1/traces' && status === 200) {
      const text = req.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      for (const { resource, scopeSpans } of JSON.parse(text.toString()).resourceSpans)
        for (const { spans: sent } of scopeSpans)
          for (const span of sent)
            spans.push({ ...span, attributes: attributesOf(span.attributes), resource: attributesOf(resource.attributes) })
    }
    res.writeHead(req.url === '/v1/traces' ? status : 404, { 'Content-Type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: () => headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
