import type { ClientConfig } from 'pg'
import type { Topic } from '../../server/index/topics/topic.ts'
import { rowsOf } from '../../server/store/rows/copy-rows.ts'
import { bool, bytea, int4, int8, nullable, text } from '../../server/store/schema/column.ts'
import { table, type WriteRow } from '../../server/store/schema/table.ts'
import type { TestServer } from '../kit/index/database.ts'

/* A topic of each kind of table: what was received by whom, and what is true of every contract. */

const tallyReceived = table('tally_received', {
  kind: 'event',
  key: ['account', 'lt'],
  group: 'transactions',
  columns: { account: bytea, lt: int8, mc_seqno: int4, trace_id: bytea, opcode: nullable(int4), contract: bool, note: text },
})

const tallyContracts = table('tally_contracts', {
  kind: 'state',
  key: ['account'],
  owner: 'account',
  group: 'transactions',
  columns: {
    account: bytea,
    mc_seqno: int4,
    code_hash: bytea,
    data_bits: int4,
    exit_code: nullable(int4),
    answer: nullable(text),
    described: text,
  },
})

const DDL = [
  `create table tally_received (account bytea not null, lt bigint not null, mc_seqno integer not null, trace_id bytea not null,
    opcode integer, contract boolean not null, note text not null, primary key (account, lt))`,
  `create table tally_contracts (account bytea not null primary key, mc_seqno integer not null, code_hash bytea not null, data_bits integer not null,
    exit_code integer, answer text, described text not null)`,
]

/** Makes the tables that a migration would have made. */
export const makeTallyTables = async (server: TestServer, database: ClientConfig): Promise<void> => {
  for (const statement of DDL) await server.run(database, statement)
}

/** `method`: a get-method to run on every contract. */
export const createTally = (method?: string): Topic => ({
  name: 'tally',
  version: 1,
  tables: [tallyReceived, tallyContracts],
  async derive({ mcSeqno, transactions, accounts }, context) {
    const received = transactions.filter(({ tx }) => tx.inMsg?.info.type === 'internal')
    if (received.length === 0 && accounts.length === 0) return []
    // Contracts as the blocks before left them.
    const known = await context.rows<{ account: Buffer }>('select account from tally_contracts where account = any($1::bytea[])', [
      received.map(({ account }) => account),
    ])
    const contracts = new Set(known.map(({ account }) => account.toString('hex')))
    const events = received.map(({ tx, account, traceId, block }) => {
      const { body } = tx.inMsg!
      const opcode = body.exotic || body.bits < 32 ? undefined : body.slice().preloadUint(32) | 0
      const note = `it's \\ "${block.id.seqno}"\tof\n${tx.lt}`
      return {
        account,
        lt: tx.lt,
        mc_seqno: mcSeqno,
        trace_id: traceId,
        opcode,
        contract: contracts.has(account.toString('hex')),
        note,
      }
    })
    const active = accounts.filter(({ status }) => status === 'active')
    const states = await context.states(active)
    const rows: WriteRow<typeof tallyContracts>[] = []
    for (const [i, account] of active.entries()) {
      const state = states[i]
      if (state === undefined) continue
      const answer = method === undefined ? undefined : await context.run(account, method)
      const [again] = await context.accounts([account.key])
      const top = answer?.stack[0]
      rows.push({
        account: account.key,
        mc_seqno: account.mcSeqno,
        code_hash: again!.codeHash!,
        data_bits: state.data.bits,
        exit_code: answer?.exitCode,
        answer: top?.type === 'int' ? String(top.value) : null,
        described: JSON.stringify({ data: state.data.hashHex(), code: state.code.hashHex(), quote: `'"\\` }),
      })
    }
    return [
      rowsOf(tallyReceived, events),
      rowsOf(
        tallyContracts,
        rows,
        accounts.map(({ key }) => key),
      ),
    ]
  },
})
