import type { IncomingMessage } from 'node:http'
import type { PatientLimit } from '../base/limits/concurrency-limit.ts'
import type { Log } from '../base/log.ts'
import type { Unread } from '../base/writer/unread.ts'
import type { BodyStreams } from './answer-bodies.ts'
import type { ReadBody } from './body.ts'
import type { HttpDeps } from './http.ts'
import type { Inflow } from './inflow.ts'
import type { Times } from './limits.ts'
import type { NetworkChoice } from './networks.ts'
import type { Readiness } from './ops/process-phase.ts'
import type { RawAnswer } from './raw-answer.ts'
import type { Rpc } from './rpc/json-rpc.ts'

/** What the files of this room share. http.ts creates it once, and each file picks what it uses. */
export interface Parts extends Omit<HttpDeps, 'accessLog' | 'inflow' | 'unread'> {
  readonly rpc: Rpc
  readonly readBody: ReadBody
  readonly readiness: Readiness
  readonly nextId: () => string
  readonly localAccess: (req: IncomingMessage) => boolean
  readonly chooseNetwork: NetworkChoice
  readonly clientAddress: (req: IncomingMessage) => string
  readonly isProxy: (address: string) => boolean
  readonly hub: NonNullable<HttpDeps['hub']>
  readonly rawAnswer: RawAnswer
  readonly times: Times
  readonly inflow: Inflow
  readonly unread: Unread
  readonly bodies: BodyStreams
  readonly eventSlots: PatientLimit
  /** undefined if the access log is off. */
  readonly accessLog: Log | undefined
}
