import type { MessagePort } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import type { AnswerHeaders } from '../../base/answer.ts'
import type { Failure } from '../../base/threads/failure.ts'
import type { SlowQueries } from '../../store/postgres/slow-statements.ts'
import type { ChainPosition } from '../../store/replicas/floor.ts'

/*
 * Messages between the main thread and a thread that makes large pages. Each page has a port of its own, on which its chunks of JSON arrive in order. Their
 * memory is transferred. The main thread posts a message after each chunk that it has read, so that the thread may send one more, and closes the port to give
 * up the page.
 */

/** Number of chunks that the thread may send before the main thread has read one. */
export const AHEAD = 16

export interface PageRequest {
  readonly method: string
  readonly params: unknown
  readonly network: string
  readonly connection: ClientConfig
  /** The newest head of earlier answers. The page must not use an older head. */
  readonly least: ChainPosition | undefined
  readonly port: MessagePort
}

export type FromPage =
  /** `head`: the head of the snapshot. */
  | { readonly type: 'begun'; readonly headers: AnswerHeaders | undefined; readonly head: ChainPosition | undefined }
  | { readonly type: 'piece'; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly failure: Failure }

export type FromThread =
  /** Reports a token whose off-chain data was not fetched yet. */
  | { readonly type: 'want'; readonly token: Uint8Array }
  | { readonly type: 'slow'; readonly statement: Parameters<SlowQueries['log']>[0] }
  /** A warning of node or a dependency. The main thread shows it. */
  | { readonly type: 'warning'; readonly warning: Failure }

export interface ThreadSettings {
  /** Milliseconds from which a slow statement is reported; 0: none is reported. */
  readonly slowQuery: number
  /** True if tokens without off-chain data are reported. */
  readonly wants: boolean
}
