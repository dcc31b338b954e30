import type { TonError } from '../../shared/errors.ts'
import type { ParamSource } from '../../shared/params.ts'
import type { AnswerHeaders } from '../base/answer.ts'
import type { Call, Caller } from '../base/call.ts'
import type { TextSource } from '../base/pieces.ts'
import type { RequestSource } from '../net/request-source.ts'

/** Identifies the caller of each request before the request is read. */
export interface Gate {
  /** Throws or rejects with UNAUTHORIZED for an invalid key, FORBIDDEN for a key of another network, UNAVAILABLE if keys cannot be checked. */
  admit(req: RequestSource, network: string): Caller | Promise<Caller>
}

/** An answer as serialized JSON text, so that every transport joins strings and nothing is stringified twice. */
export type Outcome =
  | {
      readonly ok: true
      readonly json: string
      /** What follows `json`, for a call with a `writer`. After an error in it the answer stays without an end. */
      readonly rest?: TextSource
      readonly cached: boolean
      readonly headers?: AnswerHeaders
      /** See Answer. */
      readonly isTransient?: boolean
    }
  | { readonly ok: false; readonly error: TonError }

/** `source` says how strictly params are read: as a query (strings, unknown names pass), or as a body or JSON-RPC params (the default). */
export type Dispatch = (name: string, rawParams: unknown, call: Call, source?: ParamSource) => Promise<Outcome> | Outcome
