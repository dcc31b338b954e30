import type { AskOptions, Head, LiteAnswer, LiteArgs, LiteFunction } from '../../chain/liteserver.ts'
import type { PackedMethod, PackedResult } from '../../tvm/method-wire.ts'
import type { WorkSettings } from '../follow/work.ts'
import type { SelectionEntries } from '../service/selection.ts'
import type { IndexStatus } from '../service/status.ts'
import type { Failure } from './failure.ts'

/*
 * What goes between the index and its thread. The thread reads blocks, derives rows and decides what is written; what reaches out of the
 * process (the source, the database, the TVM's pool) stays with those who own it, and the thread asks for it in bytes and texts.
 */

export interface Job extends Omit<WorkSettings, 'selection'> {
  readonly selection: SelectionEntries
  readonly tvm: boolean
  readonly head: Head
  /** As it is told so far. */
  readonly status: IndexStatus
}

/** What the thread asks for, by name. */
export interface Calls {
  query: { args: { text: string; values: readonly unknown[] | undefined }; answer: readonly unknown[] }
  script: { args: { text: string; rows: Uint8Array | undefined }; answer: undefined }
  copy: { args: { target: string; lines: Uint8Array }; answer: undefined }
  ask: { args: { fn: LiteFunction; args: LiteArgs<LiteFunction> }; answer: LiteAnswer<LiteFunction> }
  /** `config`: its root as a BoC. */
  run: { args: { request: PackedMethod; config: Uint8Array }; answer: PackedResult }
}
export type CallName = keyof Calls

/** A question to the source: there are many, and those of one turn go together, as do the answers to whatever is asked. */
export interface Question {
  readonly id: number
  readonly args: Calls['ask']['args']
  /** The thread will say what an answer is worth; undefined: what comes is taken. */
  readonly judged?: AskOptions | undefined
}
/** What an answer to such a question is worth: it is taken, or refused for a reason, and then another one or a failure follows. */
export interface Verdict {
  readonly id: number
  readonly refusal: Failure | undefined
}
export interface Answer {
  readonly id: number
  readonly value: unknown
}

export type ToThread =
  /** `several`: the source is several servers, and asks another one where an answer does not pass. */
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

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null

/** The same with `bytes` for each byte array in it; what holds none that changes is given back itself. */
const mapBytes = (value: unknown, bytes: (value: Uint8Array) => Uint8Array): unknown => {
  if (value instanceof Uint8Array) return bytes(value)
  if (Array.isArray(value)) return value.map((each) => mapBytes(each, bytes))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  const members = value as Readonly<Record<string, unknown>>
  let changed: Record<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    const member = members[name]
    const mapped = typeof member === 'object' && member !== null ? mapBytes(member, bytes) : member
    if (mapped === member) continue
    changed ??= { ...members }
    changed[name] = mapped
  }
  return changed ?? value
}

/** Ready to be sent: a message carries the whole of the buffer that a view looks into. */
export const packed = <T>(value: T): T =>
  mapBytes(value, (bytes) => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))) as T

/** As the driver of the database gives and takes it: bytes arrive as plain arrays. */
export const withBuffers = <T>(value: T): T => mapBytes(value, (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) as T
