/** Bounds of the transports (limits-and-goals.md B4; header, URL and body sizes as TON Center's own service). Milliseconds and bytes. */
export const LIMITS = {
  /** Request body. */
  body: 1 << 20,
  url: 8192,
  /** Of v3, whose lists take 1,000 addresses: that many friendly ones. The headers' limit holds the URL too. */
  urlV3: 60 << 10,
  /** Request line and headers together; beyond it node's parser refuses. */
  headers: 64 << 10,
  /** Header lines; node drops those beyond its own limit silently, so ours is checked and node's is off. */
  headerLines: 200,
  connections: 10_000,
  /** Connections of one address (of IPv6: of one /64) other than loopback and trusted proxies. */
  connectionsPerAddress: 500,
  batchItems: 1000,
  /** Requests of one connection that run at once beside the one whose answer is due, and those of all connections that wait behind them. */
  pipelined: 7,
  pipelinedWaiting: 50_000,
  /** Answers of one batch together. */
  batchBytes: 16 << 20,
  /** Answers of all batches that are being made. */
  batchesBytes: 256 << 20,
  /** Items of a batch that have not begun by then are answered with SOURCE_TIMEOUT. */
  batchTime: 60_000,
  /** Calls of one batch that run at once. */
  batchLanes: 16,
  sockets: 10_000,
  /** Sockets of one address (of IPv6: of one /64) other than loopback. */
  socketsPerAddress: 200,
  /** Messages of one socket under way; further ones stay in the kernel's buffer. */
  socketCalls: 32,
  socketFrame: 1 << 20,
  /** Frames of one message, and pieces off the network that wait for the rest of a frame: each costs far more memory than its bytes. */
  socketFragments: 1_024,
  socketChunks: 16_384,
  /** Bytes given to a socket's kernel side; beyond it answers wait. */
  socketBuffer: 1 << 20,
  /** Bytes of answers that may wait for the reader of one socket, and for those of all, before a socket is closed. */
  socketBacklog: 64 << 20,
  backlog: 256 << 20,
  /**
   * HTTP answers of which the reader has not taken so many bytes count as waiting: of one connection, and of all. What is over waits, is refused, or the slowest
   * readers are cut off (outflow.ts).
   */
  outflow: { ofConnection: 64 << 20, ofAll: 256 << 20, patience: 30_000, grace: 1_000 },
  /** Characters from which on an answer counts as a long one. */
  long: 128 << 10,
  /** Answers shorter than this are not worth compressing. */
  compress: 1024,
} as const

/** Patience with clients, milliseconds. Tests take less. */
export interface Times {
  readonly headers: number
  /** Until the last byte of a request has come. */
  readonly request: number
  readonly keepAlive: number
  /** For a peer to hang up after a refusal that ends its connection. */
  readonly linger: number
  /** Without a byte in either direction: a peer that is gone, or does not read its answer. Longer than any call takes. */
  readonly idle: number
  /** How often connections are looked at. */
  readonly check: number
  /** Until a socket whose reader takes nothing is closed. */
  readonly stall: number
  readonly ping: number
}
export const TIMES: Times = {
  headers: 5_000,
  request: 15_000,
  keepAlive: 65_000,
  linger: 2_000,
  idle: 900_000,
  check: 1_000,
  stall: 15_000,
  ping: 30_000,
}
