import type { createTracer } from './otel.ts'

/*
 * Spans of the service's work. Until startTracing gets an endpoint, nothing is traced and no package of OpenTelemetry is loaded. Each function here then
 * checks only one variable.
 */

/** Attributes of a span. Names are those of OpenTelemetry's semantic conventions. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanStart {
  readonly name: string
  /**
   * `request`: work that begins with a caller's request. `task`: work that begins by itself. `client` (a request to another process) and `step` are traced
   * only as parts of a request or a task, so that internal maintenance does not fill the tracing tool.
   */
  readonly kind: 'request' | 'task' | 'client' | 'step'
  readonly attributes: Attributes
  /** Headers of a request. `traceparent` and `tracestate` identify the caller's span. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A span of running work. It ends with the work, and is marked as failed if the work throws. */
export interface Span {
  set(attributes: Attributes): void
  rename(name: string): void
  fail(type: string): void
}

export const NO_SPAN: Span = { set() {}, rename() {}, fail() {} }

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
