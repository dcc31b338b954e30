import type * as z from 'zod'
import type { ErrorKind } from './errors.ts'

/** Whether a call changes anything. Writes are never cached, coalesced or retried. */
export type Effect = 'read' | 'write'

/** One method: the only place where its name, shape and rules are written. Server, REST mirror, documents and client are read off it. */
export interface MethodDef<P extends z.ZodObject = z.ZodObject, R extends z.core.$ZodType = z.core.$ZodType, E extends Effect = Effect> {
  /** One line for the documents. */
  readonly summary: string
  /** TON Center's interface whose manners it has: texts of refused parameters, form of REST answers. v2 unless said. */
  readonly api?: 'v3'
  readonly params: P
  readonly result: R
  readonly effect: E
  /** What a server must have to answer: a method whose need is missing answers NOT_SERVED and is left out of the documents. */
  readonly needs: 'nothing' | 'chain' | 'index' | 'local'
  /** REST verbs of the mirror; the path follows from the name (`pathOf`). `none`: JSON-RPC only. */
  readonly rest: 'GET, POST' | 'GET' | 'POST' | 'none'
  /** Rate-limit units; a batch costs the sum. */
  readonly weight: number
  /** `head`: valid until the next masterchain block. `final`: for good once the block is there. */
  readonly cache: 'never' | 'head' | 'final'
  /** Deadline of one call, milliseconds; 10 s unless said. */
  readonly deadline?: number
  /** Rows of a paginated answer and the most of them. */
  readonly page?: { readonly rows: string; readonly max: number }
  /** Kinds of failure of its own, beside those that any method may have (parameters, limits, the chain, time). */
  readonly errors?: readonly ErrorKind[]
  /** Other names that real clients call. */
  readonly aliases?: readonly string[]
  /** In a query string the first name of a pair hides the second (config_id and param); in a body both together are refused. */
  readonly hides?: Readonly<Record<string, string>>
}

/** Declares a method. Returns the named interface, not the literal type: measured five times cheaper to check at 90 methods. */
export const method = <P extends z.ZodObject, R extends z.core.$ZodType, E extends Effect>(def: MethodDef<P, R, E>): MethodDef<P, R, E> =>
  def
