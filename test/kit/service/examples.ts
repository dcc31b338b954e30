import type { MethodExample } from '../../../shared/method.ts'
import { type MethodName, methodNames, type Registry, registry } from '../../../shared/registry.ts'

/** One call in the form that a client writes. */
export type Example<M extends MethodName> = MethodExample<Registry[M]['params']>

/** The examples of every method, from its definition. */
export const examples = Object.fromEntries(methodNames.map((name) => [name, registry[name].examples])) as {
  readonly [M in MethodName]: Registry[M]['examples']
}
