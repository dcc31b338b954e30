import { bool, bytea, int4, int8, nullable, text } from './column.ts'
import { table } from './table.ts'

export const tokenMetadata = table('token_metadata', {
  kind: 'outside',
  key: ['account'],
  group: 'transactions',
  columns: {
    account: bytea,
    uri: text,
    /** JSON as text; null if fetching failed. */
    content: nullable(text),
    fetched_at: int8,
    tries: int4,
    next_try: int8,
  },
})

/** Flags that the operator sets for tokens (`tonway tokens import`). A token without a row has no flags. */
export const tokenFlags = table('token_flags', {
  kind: 'given',
  key: ['account'],
  group: 'transactions',
  columns: {
    account: bytea,
    is_scam: bool,
    is_nsfw: bool,
  },
})
