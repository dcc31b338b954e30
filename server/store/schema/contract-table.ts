import { bytea, int4, int8, nullable, numeric } from './column.ts'
import { type Columns, table } from './table.ts'

/** Declares a table of contracts with their latest states. An account has at most one row. */
export const contractTable = <const Name extends string, const C extends Columns>(name: Name, columns: C) =>
  table(name, {
    kind: 'state',
    key: ['account'],
    owner: 'account',
    group: 'transactions',
    columns: { account: bytea, mc_seqno: int4, ...columns },
  })

/** Declares a table of transfer or burn requests that contracts (`account`) received. A transaction has at most one row. */
export const transferTable = <const Name extends string, const C extends Columns>(name: Name, columns: C) =>
  table(name, {
    kind: 'event',
    key: ['account', 'tx_lt'],
    group: 'transactions',
    prunedWith: { account: 'account', tx_lt: 'lt' },
    columns: {
      account: bytea,
      tx_lt: int8,
      mc_seqno: int4,
      tx_hash: bytea,
      trace_id: bytea,
      tx_now: int8,
      query_id: numeric,
      response_destination: nullable(bytea),
      custom_payload: nullable(bytea),
      ...columns,
    },
  })
