import type { MethodName, Params, Result } from '../../shared/registry.ts'
import type { CallerLimits } from './limits/caller-limits.ts'
import type { Log } from './log.ts'
import type { Writer } from './writer/writer.ts'

/** A transport that can send the beginning of a large answer while the rest is being made. */
export interface PieceWriter {
  /** Resolves when all earlier answers of the connection are written; undefined if there are none. */
  ready(): Promise<void> | undefined
}

/** Events on the socket of a call. */
export interface EventSocket {
  /** Writes everything that is sent on the socket. */
  readonly writer: Writer
  /** Open subscriptions by id, with the number of addresses and hashes that each names. */
  readonly subscriptions: Map<string, { readonly named: number; close(): void }>
  readonly limits: CallerLimits
  /** Counts this socket as one of the caller's event connections. Rejects with RATE_LIMITED if the caller has too many. */
  enter(): Promise<void>
  /** The id of a new subscription. */
  nextId(): string
  /** Calls `begin` once the answer to this call is written. */
  onAnswered(begin: () => void): void
  /** Closes the socket, because events cannot be sent any more. */
  fail(error: unknown): void
}

/** What accompanies a call through dispatch into its handler. */
export interface Call {
  /** Name of the network that the call is for: from a path prefix, from the Host header, or the default one. It is always a network that is served. */
  readonly network: string
  /** Aborted when the client hangs up or the deadline passes. */
  readonly signal: AbortSignal
  /** Correlates the answer's X-Request-Id with the log. */
  readonly requestId: string
  readonly log: Log
  /** Whether `local.*` may be called: same-origin loopback callers only, unless allowed. */
  readonly localAllowed: boolean
  /** Whether sent messages are answered when they are in a block: for the program that the service runs in. */
  readonly waitsForBlock?: boolean | undefined
  /** The caller, as the room `access` identified it; undefined: the process itself, whose calls are not counted. */
  readonly caller?: Caller | undefined
  /** Group of lite-servers that serves the caller's plan; undefined: the ordinary lite-servers. */
  readonly servers?: string | undefined
  /** The client, for queues that serve clients in turn: the owner of the key, or the client's address; undefined for the process itself. */
  readonly client?: string | undefined
  /**
   * Whether the call has a permit for a large answer. If not, a handler that finds that its answer will be large throws LargePage (limits/large-page.ts). Undefined: its
   * caller has no gate for them.
   */
  readonly isLarge?: boolean | undefined
  /** Takes a large answer piece by piece; undefined: the answer must be complete. */
  readonly writer?: PieceWriter | undefined
  /** Where events can be sent; undefined on anything but a WebSocket. */
  readonly events?: EventSocket | undefined
  /** Headers that code deep inside the call adds to its answer; undefined: it takes none. */
  readonly headers?: Record<string, string> | undefined
}

/** What the chain and the TVM need to know of a call: who waits, because queues serve clients in turn, and where headers go. */
export type RunFor = Pick<Call, 'client' | 'headers'>

/** Adds a header to the answer of a call; a later one of the same name replaces it. */
export const addHeader = (call: RunFor | undefined, name: string, value: string): void => {
  if (call?.headers !== undefined) call.headers[name] = value
}

/** A connection from the program that the service runs in. */
export interface InnerConnection {
  /** See Call. */
  readonly waitsForBlock?: boolean
}

/** Whether messages sent over a connection are answered when they are in a block. */
export const waitsForBlock = (connection: object): boolean => (connection as InnerConnection).waitsForBlock === true

/** Who calls: the holder of a key, or an address. */
export interface Caller {
  /** Public part of the key, for logs; undefined without one. */
  readonly keyId: string | undefined
  /** The owner of the key; undefined without one. */
  readonly owner?: string
  readonly servers: string | undefined
  /** Limits of the key's plan; undefined: the common ones. */
  readonly limits?: CallerLimits | undefined
  /** Name of the bucket in which the caller's calls are counted; undefined for callers without a key, who are counted by address. */
  readonly bucket?: string
  /**
   * Takes units from the caller's limit; false if they do not fit. Throws or rejects with UNAUTHORIZED if the key was revoked or has expired meanwhile, and
   * with UNAVAILABLE if calls cannot be counted and must not pass uncounted. Returns a promise if another process counts.
   */
  take(weight: number): boolean | Promise<boolean>
  /**
   * Takes one of the emulations, or of the messages to an account, that the plan allows in a second; `of` is the account. As `take` otherwise.
   * Undefined for callers without a key, whom units alone limit.
   */
  takeOne?(what: 'emulations' | 'sends', of?: string): boolean | Promise<boolean>
  /** Counts units for work that is already done, such as the bytes of an answer. It never refuses; the next calls have less room. */
  charge(units: number): void
  /** Calls `listener` once, with the reason, when the caller loses access. Returns a function that stops listening. */
  onEnd(listener: (reason: string) => void): () => void
}

/** Answers a call, at once if nothing has to be waited for. */
export type Handler<M extends MethodName> = (params: Params<M>, call: Call) => Promise<Result<M>> | Result<M>
export type Handlers<M extends MethodName = MethodName> = { readonly [K in M]: Handler<K> }
