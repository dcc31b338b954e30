import type { Failure } from '../errors.ts'
import type { Head } from '../reply.ts'
import type { ServerAddress } from '../url.ts'
import type { HttpOptions } from './http.ts'

export interface Answer extends Head {
  /** Undefined if the body is not JSON. */
  readonly body: unknown
}

export type Posted = Answer | { readonly failure: Failure }

/** Reads the body's text as a stream. Returns undefined, and stops reading, if the body exceeds `limit` bytes. */
const readText = async (response: Response, limit: number): Promise<string | undefined> => {
  const reader = response.body?.getReader()
  // React Native has no streams, so the whole text is read.
  if (!reader) return response.text()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > limit) {
      reader.cancel().catch(() => {})
      return
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** @internal The milliseconds of a `Retry-After` header, which contains seconds or a date; undefined if there is none. */
export const retryAfterOf = (text: string | null): number | undefined => {
  const ms = text ? (Number.isNaN(+text) ? Date.parse(text) - Date.now() : +text * 1000) : NaN
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** The cause of an error; undefined if it contains the key. */
const withoutKey = (cause: unknown, key: string | undefined): unknown => {
  for (let error = cause; error instanceof Error; error = error.cause) if (key && `${error.stack}${error.message}`.includes(key)) return
  return cause
}

/**
 * The text of the innermost cause, because fetch's own text is only "fetch failed". The code of that cause if it has no text (an AggregateError for several
 * addresses).
 */
const reasonOf = (cause: unknown): string => {
  let error = cause as { message?: string; code?: string; cause?: unknown } | undefined
  while (error?.cause instanceof Error) error = error.cause
  const text = error?.message || error?.code
  return text ? `: ${text}` : ''
}

/** Returns a function that sends one POST. It settles within the timeout, even if the server or `fetch` hangs, and never rejects. */
export const createPost = (options: HttpOptions, { endpoint, key }: ServerAddress) => {
  const { timeout = 10_000, maxAnswerBytes = 8 << 20, headers, parse = JSON.parse } = options

  const failed = (kind: Failure['kind'], message: string, more?: Partial<Failure>): Posted => ({
    failure: { kind, message, endpoint, ...more },
  })
  const exchange = async (url: string, body: string, signal: AbortSignal): Promise<Posted> => {
    const response = await (options.fetch ?? fetch)(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(key && { 'X-API-Key': key }),
        ...(typeof headers === 'function' ? await headers() : headers),
      },
      body,
      // A redirect could send the key to another host.
      redirect: 'error',
      signal,
    })
    const text = await readText(response, maxAnswerBytes)
    if (text === undefined) return failed('ANSWER_TOO_LARGE', `an answer of over ${maxAnswerBytes} bytes`)
    const head = { endpoint, status: response.status, retryAfterMs: retryAfterOf(response.headers.get('retry-after')) }
    try {
      return { ...head, body: parse(text) }
    } catch {
      return { ...head, body: undefined }
    }
  }

  return (url: string, body: string, signal: AbortSignal) =>
    new Promise<Posted>((settle) => {
      const controller = new AbortController()
      // A `fetch` that ignores its signal continues to run; its late result is ignored.
      const end = (answer: Posted): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        settle(answer)
        if ('failure' in answer) controller.abort()
      }
      const abort = () => end(failed('ABORTED', 'given up'))
      const timer = setTimeout(() => end(failed('TIMEOUT', `no answer within ${timeout} ms`)), timeout)
      signal.addEventListener('abort', abort)
      exchange(url, body, controller.signal).then(end, (thrown) => {
        const cause = withoutKey(thrown, key)
        end(failed('NETWORK', `no answer, or not all of it${reasonOf(cause)}`, { cause, retry: true }))
      })
    })
}
