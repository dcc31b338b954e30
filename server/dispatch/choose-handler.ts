import { asksForProofs } from '../../shared/fields/v3/proofs.ts'
import { registry } from '../../shared/registry.ts'
import type { AnyHandler } from '../base/answer.ts'
import type { Call } from '../base/call.ts'
import type { ReadableDatabase } from '../store/replicas/floor.ts'
import type { PageThreads } from '../v3/large-pages/thread.ts'
import { isLargePage } from './charge.ts'

/* Which of several handlers of a method answers a call. */

/** Picks the handlers of the group of lite-servers that a call names, which is the one in its caller's plan. Any other call is answered by the common handlers. */
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

type Handlers = Readonly<Record<string, AnyHandler>>

/**
 * The same handlers, but large pages are made in threads. `readable`: the database that they are read from; while it is undefined the handlers say
 * why there is nothing to read.
 */
export const inThreads = (handlers: Handlers, pages: PageThreads | undefined, readable: () => ReadableDatabase | undefined): Handlers => {
  if (pages === undefined) return handlers
  const elsewhere =
    (method: keyof typeof registry, handler: AnyHandler): AnyHandler =>
    (params: never, call: Call) => {
      // The threads have no chain to prove from.
      const isElsewhere = (call.isLarge || isLargePage(registry[method], params)) && !asksForProofs(params)
      const database = isElsewhere ? readable() : undefined
      return database === undefined ? handler(params, call) : pages.ask({ method, params, network: call.network, database }, call.signal)
    }
  const ofIndex = (name: string): name is keyof typeof registry =>
    Object.hasOwn(registry, name) && registry[name as keyof typeof registry].needs === 'index'
  return Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, ofIndex(name) ? elsewhere(name, handler) : handler]))
}
