import type { ERRORS } from '../shared/errors.ts'
import type { MethodName, ParamsIn, Registry, Result } from '../shared/registry.ts'
import type { AliasTree, Tree } from './types.ts'

/*
 * Types that the client derives from the method registry (shared/registry.ts), without runtime code. The package's build writes them out in full
 * (server/build/client-types.ts), so that users of the package need neither the registry nor zod.
 */

export type { ErrorKind, ParamIssue } from '../shared/errors.ts'

/** Error kinds that shared/errors.ts marks as retryable. */
export type RetriedKind = { [K in keyof typeof ERRORS]: (typeof ERRORS)[K]['retry'] extends true ? K : never }[keyof typeof ERRORS]

/** Every method of the service: its params, its `result`, and whether it is a read or a write. */
export type Methods = {
  readonly [M in MethodName]: {
    readonly params: ParamsIn<M>
    readonly result: Result<M>
    readonly effect: Registry[M]['effect']
  }
}

export type Members = Tree<Methods> & AliasTree<Methods>
