import { asksForProofs } from '../../shared/fields/v3/proofs.ts'
import { registry } from '../../shared/registry.ts'
import type { AnyHandler } from '../base/answer.ts'
import type { Call } from '../base/call.ts'
import type { ReadableDatabase } from '../store/replicas/floor.ts'
import type { PageThreads } from '../v3/large-pages/thread.ts'
import { isLargePage } from './charge.ts'

/** Selects the handlers of the lite-server group in the caller's plan. Calls without a configured group use the common handlers. */
export const byGroup = <H extends object>(common: H, groups: ReadonlyMap<string, H>): H => {
  if (groups.size === 0) return common
  type Handler = (params: never, call: Call) => Promise<unknown>
  const handlerOf = (handlers: H, name: string): Handler => handlers[name as keyof H] as Handler
  const entries = Object.keys(common).map((name): readonly [string, Handler] => [
    name,
    (params, call) => handlerOf(groups.get(call.caller?.servers ?? '') ?? common, name)(params, call),
  ])
  return Object.fromEntries(entries) as H
}

type Handlers = Readonly<Record<string, AnyHandler>>

/** Wraps handlers that the threads have too, so that the threads produce large pages. Without a readable database the original handlers run, and report why nothing can be read. */
export const inThreads = (handlers: Handlers, pages: PageThreads | undefined, readable: () => ReadableDatabase | undefined): Handlers => {
  if (pages === undefined) return handlers
  const elsewhere =
    (method: string, handler: AnyHandler): AnyHandler =>
    (params: never, call: Call) => {
      // Proofs need the chain, which the threads do not have.
      const isElsewhere = (call.isLarge || isLargePage(registry[method as keyof typeof registry], params)) && !asksForProofs(params)
      const database = isElsewhere ? readable() : undefined
      return database === undefined ? handler(params, call) : pages.ask({ method, params, network: call.network, database }, call.signal)
    }
  return Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, elsewhere(name, handler)]))
}
