export const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers that a page of any origin may read. */
const EXPOSED =
  'X-API-Version, X-Request-Id, X-Unknown-Params, X-Index-Seqno, X-Index-First, X-Next-Cursor, X-Fork, X-Tvm-Version, Retry-After'

/** Keeps browsers from showing an answer as a page, framing it or caching it. Pages of any origin may read it: the interfaces are open to all. */
const SAFE = [
  ...['X-Content-Type-Options', 'nosniff', 'Cross-Origin-Resource-Policy', 'cross-origin', 'Cache-Control', 'no-store'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const

/** Headers of every answer, as alternating names and values. `apiVersion`: the version of v2 or v3. */
export const commonHeaders = (apiVersion: string): readonly string[] => [
  ...['X-API-Version', apiVersion],
  ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED],
  ...SAFE,
]
