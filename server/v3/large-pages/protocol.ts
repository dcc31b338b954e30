import type { ClientConfig } from 'pg'
import type { AnswerHeaders } from '../../base/answer.ts'
import type { Failure } from '../../base/threads/failure.ts'
import type { ChainPosition } from '../../store/replicas/floor.ts'

/*
 * Messages between the main thread and a thread that makes large pages. A page has an id. Its chunks of JSON arrive in order, and their memory is
 * transferred.
 */

/** Number of chunks that the thread may send before the main thread has read one. */
export const AHEAD = 16

export interface PageRequest {
  readonly id: number
  readonly method: string
  readonly params: unknown
  readonly network: string
  readonly connection: ClientConfig
  /** The newest head of earlier answers. The page must not use an older head. */
  readonly least: ChainPosition | undefined
}

export interface SlowStatement {
  readonly sql: string
  readonly ms: number
  readonly rows: number | null
}

export type ToThread =
  | ({ readonly type: 'ask' } & PageRequest)
  /** The main thread has read a chunk, so the page may send one more. */
  | { readonly type: 'more'; readonly id: number }
  | { readonly type: 'abort'; readonly id: number }

export type FromThread =
  /** `head`: the head of the snapshot. */
  | { readonly type: 'begun'; readonly id: number; readonly headers: AnswerHeaders | undefined; readonly head: ChainPosition | undefined }
  | { readonly type: 'piece'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number; readonly failure: Failure }
  /** Reports a token whose off-chain data was not fetched yet. */
  | { readonly type: 'want'; readonly token: Uint8Array }
  | { readonly type: 'slow'; readonly statement: SlowStatement }

export interface ThreadSettings {
  /** Milliseconds from which a slow statement is reported; 0: none is reported. */
  readonly slowQuery: number
  /** True if tokens without off-chain data are reported. */
  readonly wants: boolean
}
