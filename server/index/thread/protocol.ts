import type { Failure } from '../../base/threads/failure.ts'
import type { AskOptions, Head, LiteAnswer, LiteArgs, LiteFunction } from '../../chain/liteserver.ts'
import type { PackedMethod, PackedResult } from '../../tvm/pack-requests.ts'
import type { IndexSettings } from '../follow/source-and-session.ts'
import type { SelectionEntries } from '../service/account-selection.ts'
import type { IndexStatus } from '../service/status.ts'

/*
 * Messages between the main thread and the index thread. The index thread reads blocks, derives rows and decides what to write. The source, the database
 * connection and the TVM pool stay in the main thread, and the index thread calls them with plain data.
 */

export interface Job extends Omit<IndexSettings, 'selection'> {
  readonly selection: SelectionEntries
  readonly tvm: boolean
  readonly head: Head
  readonly status: IndexStatus
}

export interface Calls {
  query: { args: { text: string; values: readonly unknown[] | undefined }; answer: readonly unknown[] }
  script: { args: { text: string; rows: readonly Uint8Array[] | undefined }; answer: undefined }
  ask: { args: { fn: LiteFunction; args: LiteArgs<LiteFunction> }; answer: LiteAnswer<LiteFunction> }
  /** `config`: BoC of the configuration's root. */
  run: { args: { request: PackedMethod; config: Uint8Array }; answer: PackedResult }
}
export type CallName = keyof Calls

/** A request to the source. Requests of one event-loop turn are sent in one message, because there are many; so are answers. */
export interface Question {
  readonly id: number
  readonly args: Calls['ask']['args']
  /** If set, the index thread sends a verdict on each answer. */
  readonly judged?: AskOptions | undefined
}
/** The thread's decision on an answer: accepted (`refusal` is undefined), or refused with a reason. After a refusal another answer or a failure follows. */
export interface Verdict {
  readonly id: number
  readonly refusal: Failure | undefined
}
export interface Answer {
  readonly id: number
  readonly value: unknown
}

export type ToThread =
  /** `several`: the source has several servers, and asks another one if an answer is refused. */
  | { readonly type: 'job'; readonly job: Job; readonly several: boolean }
  | { readonly type: 'answers'; readonly answers: readonly Answer[] }
  | { readonly type: 'failed'; readonly id: number; readonly failure: Failure }
  | { readonly type: 'abort' }

export type FromThread =
  | { readonly type: 'call'; readonly id: number; readonly name: Exclude<CallName, 'ask'>; readonly args: unknown }
  | { readonly type: 'asks'; readonly questions: readonly Question[] }
  | { readonly type: 'verdicts'; readonly verdicts: readonly Verdict[] }
  | { readonly type: 'tell'; readonly change: Partial<IndexStatus> }
  | {
      readonly type: 'log'
      readonly level: 'debug' | 'info' | 'warn' | 'error'
      readonly event: string
      readonly failure: Failure | undefined
      readonly fields: object
    }
  | { readonly type: 'done'; readonly failure: Failure | undefined }
