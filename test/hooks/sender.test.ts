import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createHooks } from '../../server/hooks/hooks.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import { createSender, type Sender, stranger } from '../events/kit.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { until } from '../kit/wait.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/* Several processes on one database: one of them sends. */

let service: V3Service
let sender: Sender
let receiver: Receiver
beforeAll(async () => {
  service = await startV3()
  await service.settle()
  sender = await createSender(service)
  receiver = await startReceiver()
})
afterAll(async () => {
  await service?.close()
  await receiver?.close()
})

const second = (owners?: () => Promise<ReadonlySet<string>>): ReturnType<typeof createHooks> => {
  const { live, index } = service.tonway.app.network
  const local = { allowed: [], loopback: true, isEmbedded: true }
  return createHooks({ ...local, hub: live!, connection: index!.connection, owners, log: silentLog })
}

describe('the sender of webhooks', () => {
  it('the sender is one process, and when it ends another one goes on where it was', async () => {
    const first = service.tonway.app.network.hooks!
    await until(() => first.figures().is_sender)
    await using other = { ...second(), [Symbol.asyncDispose]: () => other.close() }
    const { secret } = await service.call('hooks.create', { url: `${receiver.url}/one`, types: ['blocks'] })
    receiver.secrets.set('/one', secret)
    await sender.send([stranger()])
    await until(() => receiver.taken('/one').length > 2)
    expect([first.figures(), other.figures()]).toMatchObject([
      { is_sender: true, active: 1 },
      { is_sender: false, active: 0, delivered: 0 },
    ])
    await first.close()
    await until(() => other.figures().is_sender)
    await sender.send([stranger()])
    const head = service.tonway.app.network.chain.head().id.seqno
    await until(() => receiver.taken('/one').some(({ workchain, seqno }) => workchain === -1 && seqno === head))
    const seqnos = receiver.taken('/one').flatMap(({ workchain, seqno }) => (workchain === -1 ? [seqno!] : []))
    expect(seqnos).toEqual(Array.from({ length: seqnos.length }, (_, i) => seqnos[0]! + i))
    expect(receiver.mostAtOnce()).toBe(1)
  })

  it('the sender pauses hooks whose owner has no valid key, and takes up what other processes change', async () => {
    const db = await connect(service.tonway.app.network.index!.connection()!)
    await db.query(
      `insert into hooks select id || $1, $1, url, secret, filter, cursor, created_at, false, null, 0, null, 0, changed + 1 from hooks`,
      ['_gone'],
    )
    await db.query(
      `insert into hooks select id || $1, $1, url, secret, filter, cursor, created_at, false, null, 0, null, 0, changed + 2 from hooks where owner = ''`,
      ['_here'],
    )
    await using other = { ...second(async () => new Set(['_here'])), [Symbol.asyncDispose]: () => other.close() }
    const states = async () => await db.query('select owner, paused, reason from hooks order by owner', [])
    await until(() => other.figures().is_sender)
    await until(async () => (await states()).some((row) => (row as { paused: boolean }).paused))
    expect(await states()).toEqual([
      { owner: '', paused: false, reason: null },
      { owner: '_gone', paused: true, reason: 'its owner has no valid API key' },
      { owner: '_here', paused: false, reason: null },
    ])
    await until(() => other.figures().paused === 1)
    await db.query(`delete from hooks where owner = $1`, ['_here'])
    await until(() => other.figures().active === 1)
    await db.close()
  })
})
