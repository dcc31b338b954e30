import { createHash } from 'node:crypto'
import type { ClientConfig } from 'pg'
import type { Random } from '../../kit/random.ts'
import type { SimulatedChain } from './chain.ts'
import type { Gate } from './gate.ts'
import type { Key, Shown } from './keys.ts'
import type { Service } from './service.ts'
import type { Subscriber } from './subscriber.ts'
import type { Trouble } from './trouble.ts'
import type { VirtualTime } from './virtual-time.ts'

/* What a simulation has, and what it has seen. */

/** A call of a client, and what became of it. */
export interface Call {
  readonly number: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly service: Service
  /** How often blocks were undone when it began. */
  readonly undoneBefore: number
  /** The step in which it began. */
  readonly step: number
  answers: number
  answer?: Answer
}

export type Answer = {
  /** How often blocks were undone when it was answered. */
  readonly undone: number
  readonly headers: Readonly<Record<string, string | undefined>>
} & ({ readonly body: unknown } | { readonly error: { readonly name: string; readonly kind: string; readonly message: string } })

/** A walk over the pages of a list. */
export interface Walk {
  readonly calls: Call[]
  isOver: boolean
}

/** A message whose sending was acknowledged. */
export interface Sent {
  /** Base64. */
  readonly hash: string
  readonly undone: number
}

export interface World {
  readonly seed: number
  readonly random: Random
  readonly time: VirtualTime
  readonly gate: Gate
  readonly chain: SimulatedChain
  readonly database: ClientConfig
  readonly trouble: Trouble
  readonly services: Service[]
  readonly subscribers: Subscriber[]
  readonly calls: Call[]
  readonly walks: Walk[]
  readonly keys: Key[]
  readonly shown: Shown[]
  readonly sent: Sent[]
  /** Whether faults happen now. */
  isHostile: boolean
  step: number
  /** What the invariants remember from one step to the next. */
  readonly memory: Map<string, unknown>
  /** What happened, one line each. */
  readonly events: string[]
  log(event: string): void
  /** Waits until nothing happens any more without the simulation. */
  settle(): Promise<void>
  start(name: string): Promise<Service>
}

/** The log of events as one hash. */
export const hashOf = (events: readonly string[]): string => createHash('sha256').update(events.join('\n')).digest('hex').slice(0, 16)

/** The services that live and have started. */
export const running = ({ services }: World): readonly Service[] => services.filter(({ isAlive, app }) => isAlive && app() !== undefined)
