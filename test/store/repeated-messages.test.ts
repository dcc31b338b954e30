import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReader, type Reader } from '../../server/store/postgres/pool.ts'
import { readIndex } from '../../server/store/queries/head.ts'
import { sidesByHash } from '../../server/store/queries/transactions.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'

/* An account may accept the same external message many times, and anybody can send it. */

const TIMES = 40
let server: TestServer
let reader: Reader
beforeAll(async () => {
  server = await startTestServer()
  const database = await server.database()
  await server.run(
    database,
    `insert into messages (tx_account, tx_lt, direction, msg_index, msg_hash, msg_hash_norm, mc_seqno, listed, body_hash)
       select '\\x00'::bytea, i, 0, 0, sha256('as sent'), sha256('normalized'), 1, true, sha256('body') from generate_series(1, ${TIMES}) as i`,
  )
  await server.run(
    database,
    `insert into index_checkpoint (id, network, zero_hash, first_mc_seqno, mc_seqno, root_hash, file_hash) values (1, 'test', '', 1, 1, '', '')`,
  )
  await server.run(database, 'insert into published_head (id, mc_seqno, utime, epoch) values (1, 1, 1, 1)')
  reader = createReader(database, { connections: 1 })
})
afterAll(async () => {
  await reader?.close()
  await server?.close()
})

it.each(['as sent', 'normalized'])('a message that was received many times is found once for each time by its hash %s', async (form) => {
  const hash = createHash('sha256').update(form).digest()
  const sides = await readIndex(reader, new AbortController().signal, (view) => sidesByHash(view, [hash]))
  expect(sides.map(({ tx_lt }) => Number(tx_lt)).sort((a, b) => a - b)).toEqual(Array.from({ length: TIMES }, (_, i) => i + 1))
})
