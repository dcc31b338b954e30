import type { Event } from './kit.ts'

/* What a reader was told, entry by entry. */

const FINALITIES = ['pending', 'confirmed', 'finalized']

export interface Ledger {
  /** The place from which the reader goes on. */
  cursor(): string | undefined
  /** Hashes of transactions, ids of actions and of traces, sorted. */
  keys(): string[]
  size(): number
  /** What was told twice, or with a lower finality than before. */
  readonly faults: string[]
  take(event: Event): void
}

/** Entries are kept by the masterchain block of their cursor; a reset removes what is above it. */
export const createLedger = (): Ledger => {
  const entries = new Map<string, number>()
  const finality = new Map<string, number>()
  const faults: string[] = []
  let cursor: string | undefined
  const checkFinality = ({ type, ...event }: Event): void => {
    const key = `${type} ${event.trace_external_hash_norm}`
    const rank = FINALITIES.indexOf(event.finality ?? '')
    if (rank < (finality.get(key) ?? 0)) faults.push(`finality fell: ${key}`)
    finality.set(key, rank)
  }
  return {
    cursor: () => cursor,
    keys: () => [...entries.keys()].sort(),
    size: () => entries.size,
    faults,
    take(event) {
      cursor = event.cursor ?? cursor
      if (event.type === 'gap') faults.push(`gap ${JSON.stringify(event)}`)
      if (event.type === 'reset') {
        for (const [key, seqno] of entries) if (seqno > event.seqno!) entries.delete(key)
        finality.clear()
      }
      const seqno = Number((event.cursor ?? '').split('.', 1)[0])
      const add = (key: string): void => {
        if (entries.has(key)) faults.push(`twice: ${key}`)
        entries.set(key, seqno)
      }
      if (event.type === 'transactions' || event.type === 'actions' || event.type === 'trace') checkFinality(event)
      if (event.type === 'transactions') for (const { hash } of event.transactions!) add(`tx ${hash}`)
      if (event.type === 'actions') for (const { action_id } of event.actions!) add(`action ${action_id}`)
      if (event.type === 'trace') add(`trace ${event['trace_id']}`)
    },
  }
}
