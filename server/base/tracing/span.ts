/* What a tracer makes spans of. */

/** Attributes of a span, by the names of OpenTelemetry's semantic conventions. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanStart {
  readonly name: string
  /**
   * `request`: work that begins here for a caller; `task`: work that begins here by itself. `client` (a question to another process) and `step` are parts of
   * a request or a task; where there is none, they are not traced, so that the upkeep of the service fills no tracing tool.
   */
  readonly kind: 'request' | 'task' | 'client' | 'step'
  readonly attributes: Attributes
  /** Headers of a request, of which `traceparent` and `tracestate` name the caller's span. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A span while its work runs. It ends with its work, and has failed if that throws. */
export interface Span {
  set(attributes: Attributes): void
  rename(name: string): void
  /** Marks the span as failed. */
  fail(type: string): void
}

export interface Tracer {
  run<T>(start: SpanStart, work: (span: Span) => T): T
  /** Ids of the running span, as log lines have them. */
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined
  /** Headers that pass the running span on. */
  headers(): Readonly<Record<string, string>>
  /** Sends what is left, for a limited time. */
  close(): Promise<void>
}

export const NO_SPAN: Span = { set() {}, rename() {}, fail() {} }
