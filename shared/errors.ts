/** Every kind of error that callers can see. `expose`: callers see the message; otherwise a request id. */
export const ERRORS = {
  PARSE: { rpc: -32700, http: 400, retry: false, expose: true },
  INVALID_REQUEST: { rpc: -32600, http: 400, retry: false, expose: true },
  INVALID_PARAMS: { rpc: -32602, http: 422, retry: false, expose: true },
  METHOD_NOT_FOUND: { rpc: -32601, http: 404, retry: false, expose: true },
  METHOD_NOT_ALLOWED: { rpc: -32005, http: 405, retry: false, expose: true },
  UNAUTHORIZED: { rpc: -32001, http: 401, retry: false, expose: true },
  FORBIDDEN: { rpc: -32003, http: 403, retry: false, expose: true },
  NOT_FOUND: { rpc: -32004, http: 404, retry: false, expose: true },
  NOT_A_TOKEN: { rpc: -32009, http: 409, retry: false, expose: true },
  NOT_A_WALLET: { rpc: -32010, http: 409, retry: false, expose: true },
  /** A required parameter of v3's legacy methods is missing. TON Center answers 401 in this case. */
  MISSING_INPUT: { rpc: -32011, http: 401, retry: false, expose: true },
  TOO_LARGE: { rpc: -32013, http: 413, retry: false, expose: true },
  URI_TOO_LONG: { rpc: -32014, http: 414, retry: false, expose: true },
  RATE_LIMITED: { rpc: -32029, http: 429, retry: true, expose: true },
  /** An error of the chain itself. The message is the unchanged text of a lite-server or the TVM. */
  CHAIN: { rpc: -32050, http: 500, retry: false, expose: true },
  /** An error of the chain in sendBocReturnHashNoError, the only method that answers it with 400. */
  CHAIN_400: { rpc: -32000, http: 400, retry: false, expose: true },
  /** A message cannot be emulated: the contract rejects it, or it is not a message. */
  EMULATION: { rpc: -32052, http: 422, retry: false, expose: true },
  INTERNAL: { rpc: -32603, http: 500, retry: false, expose: false },
  NOT_SERVED: { rpc: -32051, http: 501, retry: false, expose: true },
  UNAVAILABLE: { rpc: -32053, http: 503, retry: true, expose: true },
  SOURCE_TIMEOUT: { rpc: -32054, http: 504, retry: true, expose: true },
  STACK_TOO_DEEP: { rpc: -32083, http: 533, retry: false, expose: true },
  UNSUPPORTED_STACK: { rpc: -32092, http: 542, retry: false, expose: true },
  NO_WORKERS: { rpc: -32093, http: 542, retry: true, expose: true },
} as const

export type ErrorKind = keyof typeof ERRORS

export interface ParamIssue {
  readonly param: string
  readonly message: string
  readonly expected?: string
}

export interface TonErrorOptions {
  readonly cause?: unknown
  readonly retryAfter?: number | undefined
  readonly issues?: readonly ParamIssue[] | undefined
  readonly detail?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The only class of errors that callers see. Branch on `kind`, never on the text. */
export class TonError extends Error {
  override readonly name = 'TonError'
  readonly kind: ErrorKind
  /** Seconds after which a retry can succeed, sent as Retry-After. */
  readonly retryAfter: number | undefined
  /** All problems of rejected params. Strict JSON-RPC sends them in `error.data.issues`. */
  readonly issues: readonly ParamIssue[] | undefined
  /** Details that are sent only to callers on this machine: names of hosts and files, output of programs that tonway runs. */
  readonly detail: string | undefined
  /** More HTTP headers of the response. Transports without headers ignore them. */
  readonly headers: Readonly<Record<string, string>> | undefined
  constructor(kind: ErrorKind, message: string, options?: TonErrorOptions) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.retryAfter = options?.retryAfter
    this.issues = options?.issues
    this.detail = options?.detail
    this.headers = options?.headers
  }
}

/** `error.data` of a strict JSON-RPC answer. */
export interface RpcErrorData {
  readonly kind: ErrorKind
  readonly retryAfter?: number
  readonly issues?: readonly ParamIssue[]
}
