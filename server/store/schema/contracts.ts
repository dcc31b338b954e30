import { bytea, int4, int4List } from './column.ts'
import { table } from './table.ts'

export const contractCodes = table('contract_codes', {
  kind: 'event',
  key: ['code_hash'],
  group: 'tx_by_hash',
  columns: {
    code_hash: bytea,
    mc_seqno: int4,
    methods: int4List,
  },
})
