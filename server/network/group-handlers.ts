import type { Call } from '../base/call.ts'

/* Answers a call from the lite-servers of the group that its caller's plan names. */

/** Picks the handlers of the group that a call names. Any other call is answered by the common handlers. */
export const byGroup = <H extends object>(common: H, groups: ReadonlyMap<string, H>): H => {
  if (groups.size === 0) return common
  type Handler = (params: never, call: Call) => Promise<unknown>
  const handlerOf = (handlers: H, name: string): Handler => handlers[name as keyof H] as Handler
  const entries = Object.keys(common).map((name): readonly [string, Handler] => [
    name,
    (params, call) => handlerOf(groups.get(call.servers ?? '') ?? common, name)(params, call),
  ])
  return Object.fromEntries(entries) as H
}
