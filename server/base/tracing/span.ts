/** Attributes of a span. Names are those of OpenTelemetry's semantic conventions. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

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
