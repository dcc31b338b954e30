import { bytea, int4, int8, nullable, text } from './column.ts'
import { table } from './table.ts'

/** What a token keeps outside the chain, fetched in the background. */
export const tokenMetadata = table('token_metadata', {
  kind: 'outside',
  key: ['account'],
  group: 'transactions',
  columns: {
    account: bytea,
    /** Where it was looked for. */
    uri: text,
    /** JSON as text; null where nothing could be had. */
    content: nullable(text),
    fetched_at: int8,
    tries: int4,
    next_try: int8,
  },
  indexes: {
    next_try: '(next_try)',
  },
})
