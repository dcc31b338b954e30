import type * as z from 'zod'
import type { ErrorKind } from './errors.ts'

/** Whether a call changes anything. Writes are never cached, coalesced or retried. */
export type Effect = 'read' | 'write'

/** One method: the only place that declares its name, shape and rules. Server, REST mirror, documents and client are derived from it. */
export interface MethodDef<P extends z.ZodObject = z.ZodObject, R extends z.core.$ZodType = z.core.$ZodType, E extends Effect = Effect> {
  /** One line for the documents. */
  readonly summary: string
  /** TON Center's interface whose conventions it follows: error texts of parameters, form of REST answers. v2 by default. */
  readonly api?: 'v3' | 'v4' | 'emulate'
  readonly params: P
  readonly result: R
  readonly effect: E
  /** The part of the service that it needs. Without that part it answers NOT_SERVED and is left out of the documents. */
  readonly needs: 'nothing' | 'chain' | 'index' | 'local'
  /** REST verbs of the mirror; the path follows from the name (`pathOf`). `none`: JSON-RPC only. */
  readonly rest: 'GET, POST' | 'GET' | 'POST' | 'none'
  /** Paths below /api/v4, where a path does not follow from the name. `:name` is a parameter. */
  readonly paths?: readonly string[]
  /** Rate-limit units; a batch costs the sum. */
  readonly weight: number
  /** Units more for each row that is proven (`proofs`). Methods without it have no proofs. */
  readonly weightOfProof?: number
  /** `head`: valid until the next masterchain block. `final`: permanently, once the block is there. */
  readonly cache: 'never' | 'head' | 'final'
  /** Deadline of one call, milliseconds; 10 s by default. */
  readonly deadline?: number
  /** For methods with pages: what a row is, and the largest number of rows of a page. */
  readonly page?: { readonly rows: string; readonly max: number }
  /** Kinds of errors besides those that any method can have (parameters, limits, the chain, time). */
  readonly errors?: readonly ErrorKind[]
  /** Other names that existing clients use. */
  readonly aliases?: readonly string[]
  /** In a query string the first name of a pair hides the second (config_id and param); in a body both together are refused. */
  readonly hides?: Readonly<Record<string, string>>
}

/** One call as a client writes it. */
export interface MethodExample<P extends z.ZodObject = z.ZodObject> {
  readonly title: string
  readonly params: z.input<P>
  /** The kind of error with which a new embedded chain answers it; undefined if it succeeds there. */
  readonly fails?: ErrorKind
}

/** A method of the registry: its definition and its documentation. A method without an example does not compile. */
export interface Method<P extends z.ZodObject = z.ZodObject, R extends z.core.$ZodType = z.core.$ZodType, E extends Effect = Effect>
  extends MethodDef<P, R, E> {
  /** The heading under which the documents list it. */
  readonly heading: string
  readonly examples: readonly [MethodExample<P>, ...MethodExample<P>[]]
}

/** Declares a method. Returns the named interface, not the literal type: measured five times cheaper to check at 90 methods. */
export const method = <P extends z.ZodObject, R extends z.core.$ZodType, E extends Effect>(def: Method<P, R, E>): Method<P, R, E> => def
