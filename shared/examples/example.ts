import type { ErrorKind } from '../errors.ts'
import type { MethodName, ParamsIn } from '../registry.ts'

/** One call as a client writes it. */
export interface Example<M extends MethodName> {
  readonly title: string
  readonly params: ParamsIn<M>
  /** The kind of error that a fresh embedded chain answers with; nothing: it succeeds. */
  readonly fails?: ErrorKind
}

/** The examples of some methods: at least one each. */
export type Examples<M extends MethodName> = { readonly [K in M]: readonly [Example<K>, ...Example<K>[]] }
