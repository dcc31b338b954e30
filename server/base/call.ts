import type { MethodName, Params, Result } from '../../shared/registry.ts'
import type { CallerLimits } from './limits/caller-limits.ts'
import type { Log } from './log.ts'
import type { Writer } from './writer/writer.ts'

/** Event subscriptions of the WebSocket on which a call arrived. */
export interface EventSocket {
  readonly writer: Writer
  /** Open subscriptions by id. `named`: number of addresses and hashes in the subscription. */
  readonly subscriptions: Map<string, { readonly named: number; close(): void }>
  readonly limits: CallerLimits
  /** Counts this socket as one of the caller's event connections. Rejects with RATE_LIMITED if the caller has too many. */
  enter(): Promise<void>
  nextId(): string
  /** Calls `begin` once the answer to this call is written. */
  onAnswered(begin: () => void): void
  /** Closes the socket, because events can no longer be sent. */
  fail(error: unknown): void
}

export interface Call {
  /** Network of the call: from a path prefix, the Host header, or the default. Always a served network. */
  readonly network: string
  /** Aborted when the client hangs up or the deadline passes. */
  readonly signal: AbortSignal
  /** The X-Request-Id of the response, which log lines also have. */
  readonly requestId: string
  readonly log: Log
  /** True if the caller may use `local.*`: same-origin callers on this machine, and those that a setting allows. */
  readonly localAllowed: boolean
  /** True if the answer to a sent message waits until the message is in a block. Only the program that embeds the service sets it. */
  readonly waitsForBlock?: boolean | undefined
  /** The caller, as identified by server/access. undefined for calls of the service itself, which are not counted. */
  readonly caller?: Caller | undefined
  /** Owner of the key, or the client's address. Queues are fair by this name. undefined for the service itself. */
  readonly client?: string | undefined
  /**
   * True if the call has a permit for a large answer. If false, a handler that expects a large answer throws LargePage (limits/large-page.ts). undefined if
   * large answers are not limited for this call.
   */
  readonly isLarge?: boolean | undefined
  /** True if the transport can send the beginning of a large answer before the rest is produced. */
  readonly acceptsPieces?: boolean | undefined
  readonly events?: EventSocket | undefined
  /** Headers that code inside the call adds to the response; undefined if the call accepts none. */
  readonly headers?: Record<string, string> | undefined
}

/** The fields of a call that the chain and the TVM need: its client, because queues are fair by client, and its headers. */
export type RunFor = Pick<Call, 'client' | 'headers'>

/** Sets a response header, and replaces an earlier value. Does nothing for calls that accept no headers. */
export const addHeader = (call: RunFor | undefined, name: string, value: string): void => {
  if (call?.headers !== undefined) call.headers[name] = value
}

export interface InnerConnection {
  readonly waitsForBlock?: boolean
}

export const waitsForBlock = (connection: object): boolean => (connection as InnerConnection).waitsForBlock === true

/** The caller: the holder of a key, or an address. */
export interface Caller {
  /** Public part of the key, for logs; undefined without a key. */
  readonly keyId: string | undefined
  readonly owner?: string
  /** Group of lite-servers of the key's plan; undefined: the lite-servers without a group. */
  readonly servers: string | undefined
  /** Limits of the key's plan; undefined: the default limits. */
  readonly limits?: CallerLimits | undefined
  /** Name of the bucket in which the caller's calls are counted. undefined without a key: calls are counted by address then. */
  readonly bucket?: string
  /**
   * Takes units from the caller's rate limit, less the `prepaid` ones that were taken before. Returns false if they exceed it; returns a promise if another
   * process counts. Throws or rejects with UNAUTHORIZED if the key has been revoked or has expired, and with UNAVAILABLE if units cannot be counted and the
   * settings do not allow uncounted calls.
   */
  take(weight: number, prepaid?: number): boolean | Promise<boolean>
  /**
   * Takes one emulation, or one message to the account `of`, from the plan's limit per second. Returns and throws as `take` does. undefined for callers without
   * a key, who are limited only by units.
   */
  takeOne?(what: 'emulations' | 'sends', of?: string): boolean | Promise<boolean>
  /** Counts units for work that is already done, such as the bytes of an answer. Never refuses, but reduces the units that are left for the next calls. */
  charge(units: number): void
  /** Calls `listener` once, with the reason, when the caller loses access. Returns a function that removes the listener. */
  onEnd(listener: (reason: string) => void): () => void
}

export type Handler<M extends MethodName> = (params: Params<M>, call: Call) => Promise<Result<M>> | Result<M>
export type Handlers<M extends MethodName = MethodName> = { readonly [K in M]: Handler<K> }
