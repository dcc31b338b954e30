export const JSON_TYPE = 'application/json; charset=utf-8'

/** Response headers that scripts of any origin may read (Access-Control-Expose-Headers). */
export const EXPOSED_HEADERS =
  'X-API-Version, X-Request-Id, X-Unknown-Params, X-Index-Seqno, X-Index-First, X-Next-Cursor, X-Fork, X-Tvm-Version, Retry-After'

/** Headers of every response besides those of CORS. They stop browsers from showing an answer as a page, framing it or caching it. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}
