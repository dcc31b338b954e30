export const JSON_TYPE = 'application/json; charset=utf-8'

/** Response headers that scripts of any origin may read. */
const EXPOSED_HEADERS =
  'X-API-Version, X-Request-Id, X-Unknown-Params, X-Index-Seqno, X-Index-First, X-Next-Cursor, X-Fork, X-Tvm-Version, Retry-After'

/** Headers of every response. Scripts of any origin may read it, but browsers may not show it as a page, frame it or cache it. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}
