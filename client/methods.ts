import type { ERRORS } from '../shared/errors.ts'
import type { MethodName, ParamsIn, Registry, Result } from '../shared/registry.ts'
import type { AliasTree, Tree } from './types.ts'

/*
 * What the client knows of the registry: types, nothing at run time. The package's build writes this file's declarations out in full
 * (server/build/client-types.ts), so that whoever installs it needs neither the registry nor zod.
 */

export type { ErrorKind, ParamIssue } from '../shared/errors.ts'

/** Kinds that the server's table marks as worth another try. */
export type RetriedKind = { [K in keyof typeof ERRORS]: (typeof ERRORS)[K]['retry'] extends true ? K : never }[keyof typeof ERRORS]

/** Every method of the service: what a caller writes, what stands in `result`, and whether it changes anything. */
export type Methods = {
  readonly [M in MethodName]: {
    readonly params: ParamsIn<M>
    readonly result: Result<M>
    readonly effect: Registry[M]['effect']
  }
}

/** The methods and their aliases as functions, under the parts of their names. */
export type Members = Tree<Methods> & AliasTree<Methods>
