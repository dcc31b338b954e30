import { type AnyHandler, answering } from '../base/answer.ts'
import { outwardNetwork } from '../config/global-config-text.ts'
import { inThreads } from '../dispatch/choose-handler.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Hub } from '../live/hub.ts'
import { pictureHandlers } from '../metadata/pictures.ts'
import type { Fetch } from '../net/fetch.ts'
import type { Reader } from '../store/postgres/reader.ts'
import type { ReadableDatabase } from '../store/replicas/floor.ts'
import type { V3Index } from '../v3/answer/answer.ts'
import { subscriptionHandlers } from '../v3/event-subscriptions.ts'
import { createV3Handlers } from '../v3/index.ts'
import type { PageThreads } from '../v3/large-pages/thread.ts'
import type { V2 } from '../v3/legacy.ts'
import type { Pending } from './pending-traces.ts'

export interface IndexHandlerDeps {
  readonly reader: Reader
  /** `pages`: threads that build large v3 answers. `readable`: the database that they read from; undefined while the index cannot be read. */
  readonly pages: PageThreads | undefined
  readonly readable: () => ReadableDatabase | undefined
  /** Called for a token whose off-chain data was not fetched yet; undefined if off-chain data is not fetched. */
  readonly want: ((token: Buffer) => void) | undefined
  readonly pictures: Fetch | undefined
  readonly live: Hub | undefined
  readonly pending: Pending | undefined
  readonly hooks: Hooks | undefined
  readonly fork: string | undefined
}

/** Adds the header X-Fork, because the index of a fork has no history from before the fork. */
const withForkHeader = <H extends Readonly<Record<string, AnyHandler>>>(handlers: H, fork: string | undefined): H => {
  if (fork === undefined) return handlers
  const value = outwardNetwork(fork)
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]): readonly [string, AnyHandler] => [
      name,
      async (params, call) => {
        const answer = await handler(params, call)
        return { ...answer, headers: { ...answer.headers, 'X-Fork': value } }
      },
    ]),
  ) as H
}

export type IndexedHandlers = ReturnType<typeof createIndexedHandlers>

export const createIndexedHandlers = (deps: IndexHandlerDeps) => {
  const { reader, want, pages, readable, pictures, live, pending, hooks, fork } = deps
  return {
    index: { reader, want },
    pending,
    handlers: (v2: V2, chainOf: V3Index['chainOf']): Readonly<Record<string, AnyHandler>> => ({
      ...withForkHeader(inThreads(createV3Handlers({ reader, want, v2, pending, chainOf }), pages, readable), fork),
      ...answering(pictureHandlers({ reader, want, fetch: pictures })),
      ...(live && subscriptionHandlers(live)),
      ...hooks?.handlers,
    }),
  }
}
