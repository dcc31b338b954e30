import { describe, expect, it } from 'vitest'
import { assignments, conflictOf, insertRows, revertStatements, topicStatements, update } from '../../server/index/write/statements.ts'
import { rowsOf } from '../../server/store/rows/copy-rows.ts'
import { accounts } from '../../server/store/schema/accounts.ts'
import { int4 } from '../../server/store/schema/column.ts'
import { contractCodes } from '../../server/store/schema/contracts.ts'
import { indexCheckpoint, publishedHead } from '../../server/store/schema/head.ts'
import { jettonWallets } from '../../server/store/schema/jettons.ts'
import { cells } from '../../server/store/schema/messages.ts'
import { select, selectAll } from '../../server/store/schema/select.ts'
import { table } from '../../server/store/schema/table.ts'
import { CHAIN_TABLES } from '../../server/store/schema/tables.ts'
import { tokenMetadata } from '../../server/store/schema/tokens.ts'
import { traces } from '../../server/store/schema/traces.ts'

describe('statements that follow from the declaration of a table', () => {
  it('a revert deletes rows that go with a transaction first, and then every other row above the block', () => {
    expect([...revertStatements(CHAIN_TABLES, 7)].join('').trim().split('\n')).toEqual([
      'delete from tx_by_hash where (hash, account, lt) in (select hash, account, lt from transactions where transactions.mc_seqno > 7);',
      'delete from messages using transactions where transactions.mc_seqno > 7 and messages.tx_account = transactions.account and messages.tx_lt = transactions.lt;',
      'delete from blocks where mc_seqno > 7;',
      'delete from shard_tops where mc_seqno > 7;',
      'delete from transactions where mc_seqno > 7;',
      'delete from account_sets where mc_seqno > 7;',
      'delete from cells where mc_seqno > 7;',
      'delete from accounts where mc_seqno > 7;',
      'delete from traces where mc_seqno_start > 7;',
    ])
  })

  it('a revert deletes all rows of the changed accounts, and leaves tables alone that are not made of blocks', () => {
    expect([...revertStatements([jettonWallets, tokenMetadata, publishedHead], 7, [Buffer.from('0a', 'hex')])]).toEqual([
      "delete from jetton_wallets where account in ('\\x0a');\n",
      'delete from jetton_wallets where mc_seqno > 7;\n',
    ])
  })

  it('a revert of many accounts is many statements', () => {
    const changed = Array.from({ length: 20_000 }, (_, i) => Buffer.from(String(i).padStart(36)))
    const statements = [...revertStatements([jettonWallets], 7, changed)]
    expect(Math.max(...statements.map(({ length }) => length))).toBeLessThan(100_000)
    expect(statements.join('').match(/\\x/g)).toHaveLength(changed.length)
  })

  it('a row of a merged table keeps, replaces, adds or compares each column as the column says', () => {
    expect(conflictOf(cells)).toBe('on conflict (hash) do nothing')
    const merged = conflictOf(traces)
    expect(merged).toContain('mc_seqno_end = greatest(traces.mc_seqno_end, excluded.mc_seqno_end)')
    expect(merged).toContain('nodes = traces.nodes + excluded.nodes')
    for (const kept of ['mc_seqno_start', 'start_lt', 'external_hash']) expect(merged).not.toContain(`${kept} =`)
    expect(conflictOf(accounts)).toContain('balance = excluded.balance')
    expect(conflictOf(accounts)).not.toContain('first_lt =')
    expect(conflictOf(accounts)).toContain('excluded.data_hash = accounts.data_hash')
  })

  it('values are written as SQL, whatever characters a text has', () => {
    const set = { network: `it's \\ 'N' \t\n`, root_hash: Buffer.from([1, 255]), mc_seqno: -1 }
    expect(assignments(indexCheckpoint, set)).toEqual([
      `network = e'it''s \\\\ ''N'' \\t\\n'`,
      `root_hash = e'\\\\x01ff'`,
      `mc_seqno = e'-1'`,
    ])
    expect(update(publishedHead, { mc_seqno: 3 }, { id: 1 })).toBe(`update published_head set mc_seqno = e'3' where id = e'1'`)
    expect(insertRows(publishedHead, [{ id: 1, mc_seqno: 2, utime: 3, epoch: 4n, changes: 5 }])).toBe(
      `insert into published_head (id, mc_seqno, utime, epoch, changes) values (e'1',e'2',e'3',e'4',e'5');`,
    )
  })

  it('rows of a table of another topic are refused', () => {
    const strange = [rowsOf(contractCodes, [])]
    expect(() => [...topicStatements([jettonWallets], strange)]).toThrow('contract_codes is not a table of this topic')
  })

  it.each([
    ['many', 2_500, 10, 3],
    ['large', 10, 500_000, 5],
  ])('%s rows are several statements', (_, count, bytes, most) => {
    const rows = Array.from({ length: count }, (__, i) => ({
      hash: Buffer.from(i.toString(16).padStart(64, '0'), 'hex'),
      boc: Buffer.alloc(bytes),
      mc_seqno: 1,
    }))
    const statements = [...topicStatements([cells], [rowsOf(cells, rows)])]
    expect(statements.length).toBe(most)
    expect(statements.join('').match(/e'\\\\x0{5}/g)).toHaveLength(2 * count)
    expect(Math.max(...statements.map(({ length }) => length))).toBeLessThan(4 << 20)
  })

  it('a query names columns of its table', () => {
    expect(select(jettonWallets, ['owner', 'jetton'], 'where account = $1')).toBe(
      'select owner, jetton from jetton_wallets where account = $1',
    )
    expect(select(jettonWallets, ['owner', 'jetton'], 'order by owner', 'owner')).toBe(
      'select distinct on (owner) owner, jetton from jetton_wallets order by owner',
    )
    expect(selectAll(contractCodes, '')).toBe('select code_hash, mc_seqno, methods from contract_codes ')
  })

  it('a table that a revert could not take back is refused', () => {
    expect(() => table('bare', { kind: 'event', key: ['id'], columns: { id: int4 } })).toThrow('bare has no column mc_seqno')
    expect(table('outside', { kind: 'outside', key: ['id'], columns: { id: int4 } }).since).toBe('mc_seqno')
  })
})
