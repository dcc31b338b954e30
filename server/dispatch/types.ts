import type { IncomingMessage } from 'node:http'
import type { TonError } from '../../shared/errors.ts'
import type { ParamSource } from '../../shared/params.ts'
import type { AnswerHeaders } from '../base/answer.ts'
import type { Call, Caller } from '../base/call.ts'
import type { TextSource } from '../base/pieces.ts'

/** Where every request is asked who it is from before it is read. */
export interface Gate {
  /** Throws or rejects UNAUTHORIZED for a key that is none, FORBIDDEN for one of another network, UNAVAILABLE where that cannot be told. */
  admit(req: IncomingMessage, network: string): Caller | Promise<Caller>
}

/** An answer as serialized JSON text, so that every transport joins strings and nothing is stringified twice. */
export type Outcome =
  | {
      readonly ok: true
      readonly json: string
      /** What follows `json`, for a call with a `writer`: an error in it leaves the answer without its end. */
      readonly rest?: TextSource
      readonly cached: boolean
      readonly headers?: AnswerHeaders
    }
  | { readonly ok: false; readonly error: TonError }

/** `source` says how strictly params are read: a query's (texts, unknown names pass) or a body's, JSON-RPC included (the default). */
export type Dispatch = (name: string, rawParams: unknown, call: Call, source?: ParamSource) => Promise<Outcome> | Outcome
