import { beginCell, Cell } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { childrenOf } from '../kit/service/process.ts'
import { until } from '../kit/wait.ts'
import { get } from '../kit/wire/connection.ts'
import { bocOf } from '../kit/wire/large.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* A page that is read from the database while it is sent, and that cannot be read to its end. */

const SENDER = `0:${'5e'.repeat(32)}`
const RECEIVER = '11'.repeat(32)
/** More transactions than are read at once, and more bytes than the buffers of the system and of the service take. */
const [TRACES, SENT, BODY] = [15, 70, 9_000]
const PAGE = `/api/v3/traces?account=${SENDER}&limit=${TRACES}`

/** Sends the message in its data SENT times: `c4 PUSHCTR CTOS PLDREF`, and SENT times `DUP 1 PUSHINT SENDRAWMSG`. */
const CODE = beginCell()
  .storeBuffer(Buffer.from(`ff00ed44d0d74c81${SENT.toString(16).padStart(4, '0')}942071fb00e4`, 'hex'))
  .endCell()
/** int_msg_info without a bounce, of a thousandth of a coin, with its body in a cell of its own. */
const MESSAGE = beginCell()
  .storeUint(0b0100, 4)
  .storeUint(0, 2)
  .storeUint(0b100, 3)
  .storeInt(0, 8)
  .storeBuffer(Buffer.from(RECEIVER, 'hex'))
  .storeCoins(1_000_000)
  .storeUint(0, 1 + 4 + 4 + 64 + 32)
  .storeUint(0b01, 2)
  .storeRef(Cell.fromBase64(bocOf(BODY)))
  .endCell()
const base64 = (cell: Cell): string => cell.toBoc().toString('base64')

let service: WireService
beforeAll(async () => {
  service = await startService('--index', 'on', '--log', 'silent')
  const data = base64(beginCell().storeRef(MESSAGE).endCell())
  await service.rpc('local.setAccount', { address: SENDER, code: base64(CODE), data, balance: '1000000000000' })
  for (let i = 0; i < TRACES; i++) await service.rpc('local.sendInternal', { from: `0:${RECEIVER}`, to: SENDER, value: '1000000000' })
  await until(async () => {
    const { status, json } = await service.ask(get(`/api/v3/transactions?account=0:${RECEIVER}&limit=1&offset=${TRACES * SENT - 1}`))
    return status === 200 && (json as { readonly transactions: readonly unknown[] }).transactions.length === 1
  }, 100)
}, 120_000)
afterAll(async () => {
  service?.started.child.kill('SIGKILL')
  await service?.started.ended
})

/** The server processes of the PostgreSQL that the service began. */
const backends = (): readonly number[] => {
  const inside = (pid: number): readonly number[] => childrenOf(pid, '').flatMap((child) => [child, ...inside(child)])
  return inside(service.started.child.pid!).flatMap((pid) => childrenOf(pid, 'postgres: '))
}

it('a page whose database is lost while it is sent is cut off, not ended', async () => {
  const { status, headers, json } = await service.ask(get(PAGE))
  expect([status, headers['transfer-encoding']]).toEqual([200, 'chunked'])
  expect((json as { readonly traces: readonly unknown[] }).traces).toHaveLength(TRACES)
  const connection = await service.open()
  await connection.send(get(PAGE, 'Connection: close'))
  expect(String(await connection.take(2_000))).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  connection.socket.pause()
  await until(async () => (await service.status()).unread_bytes.http > 0)
  // PostgreSQL ends every connection when one of its processes is killed, and begins anew.
  const [first] = backends()
  process.kill(first!, 'SIGKILL')
  await until(() => !backends().includes(first!))
  connection.socket.resume()
  await connection.closed
  const left = connection.left().toString('latin1')
  expect(left).not.toContain('\r\n0\r\n\r\n')
  expect(left).not.toMatch(/HTTP\/1\.1|"error"/)
  await until(async () => (await service.ask(get(PAGE.replace(`=${TRACES}`, '=1')))).status === 200, 50)
})
