/** Bounds of the transports (header, URL and body sizes as TON Center's own service). Milliseconds and bytes. */
export const LIMITS = {
  /** Request body. */
  body: 1 << 20,
  url: 8192,
  /** URL of v3: room for a list of 1,000 friendly addresses. The limit of `headers` includes the URL. */
  urlV3: 60 << 10,
  /** A host in a target or in an Origin. Names of DNS have 253 characters; node's parser takes 50 ms for one of 50 KB with other letters. */
  host: 1_024,
  /** Request line and headers together; beyond it node's parser refuses. */
  headers: 64 << 10,
  /** Header lines. node silently drops lines over its own limit, so that limit is off and this one is checked. */
  headerLines: 200,
  connections: 10_000,
  /** Connections that the system holds until they are accepted; it may hold fewer (net.core.somaxconn). */
  unaccepted: 4_096,
  /** Requests that begin in one turn of the event loop, those that wait for a turn, and how long they may (app.ts). */
  turns: { atOnce: 16, waiting: 10_000, patience: 10_000, text: 'too many requests are waiting; try again later' },
  /** Connections per address (IPv6: per /64), except loopback and trusted proxies. */
  connectionsPerAddress: 500,
  batchItems: 1000,
  /** Requests per connection that run at once besides the one whose answer is next, and waiting requests of all connections. */
  pipelined: 7,
  pipelinedWaiting: 50_000,
  /** All answers of one batch together. */
  batchBytes: 16 << 20,
  /** Answers of all running batches together. */
  batchesBytes: 256 << 20,
  /** Items of a batch that have not started by then are answered with SOURCE_TIMEOUT. */
  batchTime: 60_000,
  /** Calls of one batch that run at once. */
  batchLanes: 16,
  sockets: 10_000,
  /** Sockets per address (IPv6: per /64), except loopback. */
  socketsPerAddress: 200,
  /** Messages of one socket that run at once; further ones stay in the kernel's buffer. */
  socketCalls: 32,
  socketFrame: 1 << 20,
  /** Frames of one message, and network chunks that wait for the rest of a frame. Each costs far more memory than its bytes. */
  socketFragments: 1_024,
  socketChunks: 16_384,
  /** Bytes of all request bodies and WebSocket messages that have not arrived completely. Beyond it some are given up (inflow.ts). */
  inflow: 64 << 20,
  /** Answers of at least this many characters are long ones (body-streams.ts). */
  long: 128 << 10,
  /** Answers shorter than this are not worth compressing. */
  compress: 1024,
} as const

/** Time limits for clients, milliseconds. Tests use shorter ones. */
export interface Times {
  readonly headers: number
  /** Until the last byte of a request has arrived. */
  readonly request: number
  readonly keepAlive: number
  /** Time for a peer to hang up after a refusal that ends its connection. */
  readonly linger: number
  /** Time without a byte in either direction: the peer is gone or does not read its answer. Longer than any call takes. */
  readonly idle: number
  /** Interval at which connections are checked. */
  readonly check: number
  readonly ping: number
  /** Interval of comments on SSE connections. */
  readonly keepalive: number
}
export const TIMES: Times = {
  headers: 5_000,
  request: 15_000,
  keepAlive: 65_000,
  linger: 2_000,
  idle: 900_000,
  check: 1_000,
  ping: 20_000,
  keepalive: 15_000,
}
