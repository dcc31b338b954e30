import type { TonError } from '../../shared/errors.ts'
import type { ParamSource } from '../../shared/params.ts'
import type { AnswerHeaders } from '../base/answer.ts'
import type { Call, Caller } from '../base/call.ts'
import type { TextSource } from '../base/pieces.ts'
import type { RequestSource } from '../net/request-source.ts'

export interface Gate {
  /**
   * Identifies the sender of a request. Throws or rejects with UNAUTHORIZED for an invalid key, with FORBIDDEN for a key of another network, and with
   * UNAVAILABLE if keys cannot be checked.
   */
  admit(req: RequestSource, network: string): Caller | Promise<Caller>
}

/** Result of a call. An answer is already JSON text, so that transports only concatenate strings and nothing is serialized twice. */
export type Outcome =
  | {
      readonly ok: true
      readonly json: string
      /** Texts after `json`, for a call that accepts pieces: those of an answer that several callers may share, and that is too long for one text. */
      readonly more?: readonly string[]
      /** The text after `json`, for a call that accepts pieces. If an error occurs while the text is produced, the response ends incomplete. */
      readonly rest?: TextSource
      readonly cached: boolean
      readonly headers?: AnswerHeaders
      readonly isTransient?: boolean
    }
  | { readonly ok: false; readonly error: TonError }

/**
 * Calls a method by name. `source` selects how params are read. `query`: all values are strings, and unknown names are ignored. The default is a body or
 * JSON-RPC params.
 */
export type Dispatch = (name: string, rawParams: unknown, call: Call, source?: ParamSource) => Promise<Outcome> | Outcome
