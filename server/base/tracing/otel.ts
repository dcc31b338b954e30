import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { settledWithin } from '../abort.ts'
import { VERSION } from '../version.ts'
import { NO_SPAN, type Span, type SpanStart } from './span.ts'

/* Tracer that uses OpenTelemetry's packages. It registers nothing globally except the logger for errors of the exporter. */

const LAST_MS = 500

const KINDS: Readonly<Record<SpanStart['kind'], SpanKind>> = {
  request: SpanKind.SERVER,
  task: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  step: SpanKind.INTERNAL,
}

const tracesUrl = (endpoint: string): string => `${endpoint.replace(/\/+$/, '')}/v1/traces`

const spanOf = (span: OtelSpan): Span => ({
  set: (attributes) => void span.setAttributes(attributes),
  rename: (name) => void span.updateName(name),
  fail(type) {
    span.setAttribute('error.type', type)
    span.setStatus({ code: SpanStatusCode.ERROR })
  },
})

/**
 * OpenTelemetry's own variables configure the sampler (OTEL_TRACES_SAMPLER), the headers of the exporter, and additional attributes (OTEL_RESOURCE_ATTRIBUTES).
 */
export const createTracer = (endpoint: string, onTrouble: (text: string) => void) => {
  diag.setLogger(
    { error: (message) => onTrouble(message), warn() {}, info() {}, debug() {}, verbose() {} },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const own = resourceFromAttributes({ 'service.name': 'tonway', 'service.version': VERSION, 'process.pid': process.pid })
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    // The processor's queue is bounded: it drops spans when it is full.
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: tracesUrl(endpoint) }))],
  })
  const tracer = provider.getTracer('tonway', VERSION)
  const running = new AsyncLocalStorage<Context>()
  const propagator = new W3CTraceContextPropagator()

  const run = <T>({ name, kind, attributes, headers }: SpanStart, work: (span: Span) => T): T => {
    const outer = running.getStore()
    const isRoot = kind === 'request' || kind === 'task'
    if (outer === undefined && !isRoot) return work(NO_SPAN)
    const parent = headers ? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter) : (outer ?? ROOT_CONTEXT)
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent)
    const own = spanOf(span)
    const ended = <V>(value: V): V => {
      span.end()
      return value
    }
    const failed = (error: unknown): never => {
      own.fail(error instanceof Error ? error.name : 'Error')
      span.end()
      throw error
    }
    try {
      const result = running.run(trace.setSpan(parent, span), work, own)
      return result instanceof Promise ? (result.then(ended, failed) as T) : ended(result)
    } catch (error) {
      return failed(error)
    }
  }

  return {
    run,
    ids() {
      const span = trace.getSpanContext(running.getStore() ?? ROOT_CONTEXT)
      return span && { trace_id: span.traceId, span_id: span.spanId }
    },
    headers(): Readonly<Record<string, string>> {
      const carrier: Record<string, string> = {}
      propagator.inject(running.getStore() ?? ROOT_CONTEXT, carrier, defaultTextMapSetter)
      return carrier
    },
    close: () =>
      settledWithin(
        provider.shutdown().catch((error: Error) => onTrouble(error.message)),
        LAST_MS,
      ),
  }
}
