export const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers that a page of any origin may read. */
const EXPOSED = 'X-API-Version, X-Request-Id, X-Unknown-Params, X-Index-Seqno, X-Next-Cursor, X-Tvm-Version, Retry-After'

/** What keeps browsers from making a page, a frame or a cached copy of an answer; any page may read it (the interfaces are open to all origins). */
const SAFE = [
  ...['X-Content-Type-Options', 'nosniff', 'Cross-Origin-Resource-Policy', 'cross-origin', 'Cache-Control', 'no-store'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const

/** Headers of every answer, names and values in turn. `apiVersion`: of v2 or of v3. */
export const commonHeaders = (apiVersion: string): readonly string[] => [
  ...['X-API-Version', apiVersion],
  ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED],
  ...SAFE,
]
