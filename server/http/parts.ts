import { createConcurrencyLimit } from '../base/limits/concurrency-limit.ts'
import { createInflow } from '../base/limits/inflow.ts'
import { createUnread } from '../base/writer/unread.ts'
import { createBodyStreams } from './answer-bodies.ts'
import { createReadBody } from './body.ts'
import type { HttpDeps } from './http.ts'
import { LIMITS, TIMES } from './limits.ts'
import { createLocalAccess } from './local-access.ts'
import { createNetworkChoice } from './networks.ts'
import type { Readiness } from './ops/health.ts'
import { createRawAnswer } from './raw-answer.ts'
import { createRpc } from './rpc/json-rpc.ts'

/** What the files of this room share. http.ts creates it once, and each file picks what it uses. */
export type Parts = ReturnType<typeof createParts>

export const createParts = (deps: HttpDeps) => {
  const times = deps.times ?? TIMES
  const unread = createUnread(deps.unread)
  const inflow = createInflow(deps.inflow ?? LIMITS.inflow)
  const accessLog = deps.accessLog ? deps.log : undefined
  return {
    ...deps,
    times,
    unread,
    inflow,
    accessLog,
    readiness: { isStopping: false } as Readiness,
    localAccess: createLocalAccess(deps.allowLocal),
    chooseNetwork: createNetworkChoice(deps.networks),
    hub: deps.hub ?? (() => undefined),
    rpc: createRpc(deps),
    rawAnswer: createRawAnswer(times, accessLog),
    bodies: createBodyStreams(unread),
    readBody: createReadBody(inflow),
    eventSlots: createConcurrencyLimit(),
  }
}
