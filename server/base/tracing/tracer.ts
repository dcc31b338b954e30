import type { createTracer } from './otel.ts'
import { NO_SPAN, type Span, type SpanStart } from './span.ts'

/*
 * Spans of the service's work. Until startTracing gets an endpoint, nothing is traced and no package of OpenTelemetry is loaded. Each function here then
 * checks only one variable.
 */

let tracer: ReturnType<typeof createTracer> | undefined

export const isTracing = (): boolean => tracer !== undefined

export const traced = <T>(start: SpanStart, work: (span: Span) => T): T => (tracer === undefined ? work(NO_SPAN) : tracer.run(start, work))

export const traceIds = (): object | undefined => tracer?.ids()

export const traceHeaders = (): Readonly<Record<string, string>> => tracer?.headers() ?? {}

/**
 * Sends spans to an OTLP endpoint (`http://collector:4318`) until the returned function is called. Without an endpoint nothing is loaded. `onTrouble` is called
 * with the exporter's errors.
 */
export const startTracing = async (endpoint: string | undefined, onTrouble: (text: string) => void): Promise<() => Promise<void>> => {
  if (endpoint === undefined) return async () => {}
  const { createTracer } = await import('./otel.ts')
  const own = createTracer(endpoint, onTrouble)
  tracer = own
  return async () => {
    tracer = undefined
    await own.close()
  }
}
