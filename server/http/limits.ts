/** Limits of the transports, in milliseconds and bytes. Headers, URL and body have the limits of TON Center's own service. */
export const LIMITS = {
  body: 1 << 20,
  url: 8192,
  /** URL of v3, long enough for a list of 1,000 friendly addresses. The limit of `headers` includes the URL. */
  urlV3: 60 << 10,
  /** Host in a target or in an Origin. DNS names have at most 253 characters. node's URL parser takes 50 ms for a non-ASCII name of 50 KB. */
  host: 1_024,
  /** Request line and headers together, as node's parser limits them. */
  headers: 64 << 10,
  /** Number of header lines, which request-head.ts enforces. node's own limit is off, because it silently drops lines. */
  headerLines: 200,
  /** Open connections, WebSockets included. */
  connections: 10_000,
  /** Backlog of the listening socket: connections that the system queues until they are accepted. The system may queue fewer (net.core.somaxconn). */
  unaccepted: 4_096,
  /** Connections per address (per /64 for IPv6). Loopback and trusted proxies are exempt. */
  connectionsPerAddress: 500,
  batchItems: 1000,
  /** Requests of one connection that run at once. */
  pipelined: 8,
  batchBytes: 16 << 20,
  /** Total bytes of the answers of all running batches. */
  batchesBytes: 256 << 20,
  /** Time for one batch. Items that have not started when it ends are answered with SOURCE_TIMEOUT. */
  batchTime: 60_000,
  batchLanes: 16,
  /** Sockets per address (per /64 for IPv6). Loopback is exempt. */
  socketsPerAddress: 200,
  /** Messages of one socket that are processed at once. Further messages stay in the kernel's buffer. */
  socketCalls: 32,
  socketFrame: 1 << 20,
  /** Frames of one message, and network chunks that wait for the rest of a frame. Each costs far more memory than its bytes. */
  socketFragments: 1_024,
  socketChunks: 16_384,
  /** Bytes of all request bodies and WebSocket messages that are still arriving. Beyond this limit inflow.ts cuts some off. */
  inflow: 64 << 20,
  /** Answers of at least this many characters are streamed (answer-bodies.ts). */
  long: 128 << 10,
  /** Answers of fewer bytes are not compressed. */
  compress: 1024,
} as const

/** Time limits for clients, milliseconds. Tests use shorter ones. */
export const TIMES = {
  headers: 5_000,
  /** Time until the last byte of a request has arrived. */
  request: 15_000,
  keepAlive: 65_000,
  /** Time for a client to close its side after a refusal that ends the connection. */
  linger: 2_000,
  /** Maximum time without a byte in either direction, longer than any call takes. After it the client is gone or does not read its answer. */
  idle: 900_000,
  check: 1_000,
  ping: 20_000,
  keepalive: 15_000,
}
export type Times = Readonly<typeof TIMES>
