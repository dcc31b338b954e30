import type * as z from 'zod'
import type { ErrorKind } from './errors.ts'

/** A `write` changes something and is never cached, coalesced or retried. */
export type Effect = 'read' | 'write'

/** One method: the only declaration of its name, shape and rules. Server, REST mirror, documents and client are derived from it. */
export interface MethodDef<P extends z.ZodObject = z.ZodObject, R extends z.core.$ZodType = z.core.$ZodType, E extends Effect = Effect> {
  readonly summary: string
  /** The TON Center interface whose conventions the method follows: error texts of parameters, form of REST answers. Default: v2. */
  readonly api?: 'v3' | 'v4' | 'emulate'
  readonly params: P
  readonly result: R
  readonly effect: E
  /** The part of the service that the method needs. Without that part, the method answers NOT_SERVED and is not in the documents. */
  readonly needs: 'nothing' | 'chain' | 'index' | 'local'
  /** REST verbs. The path is derived from the name (`pathOf`). `none`: JSON-RPC only. */
  readonly rest: 'GET, POST' | 'GET' | 'POST' | 'none'
  /** Paths below /api/v4, if they cannot be derived from the name. `:name` is a parameter. */
  readonly paths?: readonly string[]
  /** Rate-limit units of a call. A batch costs the sum of its calls. */
  readonly weight: number
  /** Additional units for each row with a proof (`proofs`). Undefined if the method has no proofs. */
  readonly weightOfProof?: number
  /**
   * Cache lifetime of an answer. `head`: until the next masterchain block. `index`: until the index has the next block, and for a second at most, because
   * some data does not come from blocks. `final`: permanently, once the block exists.
   */
  readonly cache: 'never' | 'head' | 'index' | 'final'
  /** Deadline of one call in milliseconds; default 10 s. */
  readonly deadline?: number
  /** For paginated methods: what a row is, and the maximum number of rows in a page. */
  readonly page?: { readonly rows: string; readonly max: number }
  /** Error kinds besides those of every method (parameters, limits, the chain, timeouts). */
  readonly errors?: readonly ErrorKind[]
  /** Other names that existing clients use. */
  readonly aliases?: readonly string[]
  /**
   * Pairs of alternative parameters such as config_id and param. In a query string, the second is ignored if the first is present. In a body, both together
   * are rejected.
   */
  readonly hides?: Readonly<Record<string, string>>
}

export interface MethodExample<P extends z.ZodObject = z.ZodObject> {
  readonly title: string
  readonly params: z.input<P>
  /** The error kind with which a new embedded chain answers this call; undefined if the call succeeds there. */
  readonly fails?: ErrorKind
}

/** A method of the registry: its definition and its documentation, with at least one example. */
export interface Method<P extends z.ZodObject = z.ZodObject, R extends z.core.$ZodType = z.core.$ZodType, E extends Effect = Effect>
  extends MethodDef<P, R, E> {
  readonly heading: string
  readonly examples: readonly [MethodExample<P>, ...MethodExample<P>[]]
}

/** Declares a method. The return type is a named interface instead of the literal type, because that made type checking five times faster with 90 methods. */
export const method = <P extends z.ZodObject, R extends z.core.$ZodType, E extends Effect>(def: Method<P, R, E>): Method<P, R, E> => def
