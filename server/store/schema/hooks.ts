import { bool, int4, int8, nullable, text } from './column.ts'
import { table } from './table.ts'

/** Webhooks, and how their deliveries go. Times are unix milliseconds. */
export const hooks = table('hooks', {
  kind: 'given',
  key: ['id'],
  columns: {
    id: text,
    /** Owner of the API key that made it; '' for callers without a key. */
    owner: text,
    url: text,
    secret: text,
    /** Parameters of its filter, as JSON. */
    filter: text,
    /** All events up to this cursor were delivered. */
    cursor: text,
    created_at: int8,
    paused: bool,
    /** Why the last delivery failed; null if it did not. */
    reason: nullable(text),
    failures: int4,
    /** When the first of these failures was. */
    failing_since: nullable(int8),
    next_try: int8,
    /** Unix microseconds of the last change that its sender has to take up. */
    changed: int8,
  },
  indexes: {
    owner: '(owner)',
  },
})
