import { setMaxListeners } from 'node:events'
import { ATTACKS, type AttackName } from './attacks.ts'
import { type Counts, createCounts } from './crowd.ts'

/* The clients that overload a service, as a process. It takes orders by IPC, and sends what it has counted when it is to stop. */

export interface AttackOrder {
  readonly port: number
  readonly wallet: string
  readonly names: readonly AttackName[]
  /** Requests a second of each attack; undefined: as many as are answered. */
  readonly rate?: number
}

export type AttackCounts = Readonly<Partial<Record<AttackName, Counts>>>

let over = new AbortController()
let counts: Partial<Record<AttackName, Counts>> = {}

const begin = ({ port, wallet, names, rate = Number.POSITIVE_INFINITY }: AttackOrder): void => {
  over = new AbortController()
  // Each connection listens to it.
  setMaxListeners(0, over.signal)
  counts = {}
  for (const name of names) {
    const own = createCounts()
    counts[name] = own
    ATTACKS[name]({ port, wallet, rate, counts: own, signal: over.signal })
  }
}

process.on('message', (order: AttackOrder | 'stop') => {
  if (order !== 'stop') return begin(order)
  over.abort()
  process.send!(counts)
})
process.on('disconnect', () => process.exit(0))
