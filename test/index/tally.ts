import type { ClientConfig } from 'pg'
import { type Extension, NO_ROWS } from '../../server/index/topics/topic.ts'
import { bool, bytes, json, line, maybe, maybeBytes, text } from '../../server/index/write/rows/text.ts'
import type { TestServer } from '../kit/index/database.ts'

/* An extension of each kind of table: what was received by whom, and what is true of every contract. */

const TABLES = [
  {
    name: 'tally_received',
    columns: 'account lt mc_seqno trace_id opcode contract note',
    key: ['account', 'lt'],
    kind: 'event',
  },
  {
    name: 'tally_contracts',
    columns: 'account mc_seqno code_hash data_bits exit_code answer described',
    key: ['account'],
    kind: 'state',
    owner: 'account',
  },
] as const

const DDL = [
  `create table tally_received (account bytea not null, lt bigint not null, mc_seqno integer not null, trace_id bytea not null,
    opcode integer, contract boolean not null, note text not null, primary key (account, lt))`,
  `create table tally_contracts (account bytea not null primary key, mc_seqno integer not null, code_hash bytea not null, data_bits integer not null,
    exit_code integer, answer text, described jsonb not null)`,
]

/** Makes the tables that a migration would have made. */
export const makeTallyTables = async (server: TestServer, database: ClientConfig): Promise<void> => {
  for (const statement of DDL) await server.run(database, statement)
}

/** `method`: a get-method to run on every contract. */
export const createTally = (method?: string): Extension => ({
  name: 'tally',
  version: 1,
  tables: TABLES,
  async derive({ mcSeqno, transactions, accounts }, context) {
    const received = transactions.filter(({ tx }) => tx.inMsg?.info.type === 'internal')
    if (received.length === 0 && accounts.length === 0) return NO_ROWS
    // Contracts as the blocks before left them.
    const known = await context.rows<{ account: Buffer }>('select account from tally_contracts where account = any($1::bytea[])', [
      received.map(({ account }) => account),
    ])
    const contracts = new Set(known.map(({ account }) => account.toString('hex')))
    const events = received.map(({ tx, account, traceId, block }) => {
      const { body } = tx.inMsg!
      const opcode = body.exotic || body.bits < 32 ? undefined : body.slice().preloadUint(32) | 0
      const note = `it's \\ "${block.id.seqno}"\tof\n${tx.lt}`
      return line([
        bytes(account),
        String(tx.lt),
        String(mcSeqno),
        bytes(traceId),
        maybe(opcode),
        bool(contracts.has(account.toString('hex'))),
        text(note),
      ])
    })
    const active = accounts.filter(({ status }) => status === 'active')
    const states = await context.states(active)
    const rows: string[] = []
    for (const [i, account] of active.entries()) {
      const state = states[i]
      if (state === undefined) continue
      const answer = method === undefined ? undefined : await context.run(account, method)
      const [again] = await context.accounts([account.key])
      const top = answer?.stack[0]
      rows.push(
        line([
          bytes(account.key),
          String(account.mcSeqno),
          maybeBytes(again?.codeHash),
          String(state.data.bits),
          maybe(answer?.exitCode),
          top?.type === 'int' ? text(String(top.value)) : '\\N',
          json({ data: state.data.hashHex(), code: state.code.hashHex(), quote: `'"\\` }),
        ]),
      )
    }
    return { rows: { tally_received: events, tally_contracts: rows }, replaced: { tally_contracts: accounts.map(({ key }) => key) } }
  },
})
