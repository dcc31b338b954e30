import { bool, int4, int8, nullable, text } from './column.ts'
import { table } from './table.ts'

/** Webhooks with the state of their deliveries. Times are in Unix milliseconds. */
export const hooks = table('hooks', {
  kind: 'given',
  key: ['id'],
  columns: {
    id: text,
    /** Owner of the API key that created the webhook; '' for callers without a key. */
    owner: text,
    url: text,
    secret: text,
    /** The filter's parameters, as JSON. */
    filter: text,
    /** All events up to this cursor were delivered. */
    cursor: text,
    created_at: int8,
    paused: bool,
    /** Error of the last delivery; null if the delivery succeeded. */
    reason: nullable(text),
    failures: int4,
    failing_since: nullable(int8),
    next_try: int8,
    /** Unix microseconds of the last change of settings. The process that delivers webhooks reloads those with a newer value. */
    changed: int8,
  },
})
