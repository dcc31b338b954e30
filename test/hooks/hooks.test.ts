import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSender, readRpc, type Sender, stranger } from '../events/kit.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { type Receiver, startReceiver } from './receiver.ts'

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

let paths = 0
const create = async (filter: { types: never[]; [name: string]: unknown } | object) => {
  const path = `/${++paths}`
  const hook = await service.call('hooks.create', { url: receiver.url + path, ...filter } as never)
  receiver.secrets.set(path, hook.secret)
  return { ...hook, path }
}
const only = async (id: string) => (await service.call('hooks.list', {})).hooks.find((hook) => hook.id === id)!

describe('a webhook', () => {
  it('a webhook gets the events of its filter once, in order, as a subscription does, signed as Standard Webhooks has it', async () => {
    const to = stranger()
    const filter = {
      types: ['transactions', 'actions', 'trace', 'account_state_change'],
      addresses: [rawOf(to)],
      include_address_book: true,
    }
    const hook = await create(filter)
    const reader = await readRpc(service.tonway.wsUrl, { ...filter })
    for (let i = 0; i < 3; i++) await sender.send([to], `number ${i}`)
    await until(() => receiver.taken(hook.path).filter(({ type }) => type === 'trace').length === 3)
    await until(() => reader.of('trace').length === 3)
    const got = receiver.taken(hook.path)
    expect(got).toEqual(reader.events.slice(1))
    expect(new Set(receiver.all.map(({ id }) => id)).size).toBe(receiver.all.length)
    expect(receiver.mostAtOnce()).toBe(1)
    expect(receiver.all[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[\w-]{27}$/),
    })
    await until(async () => (await only(hook.id)).cursor === got.at(-1)!.cursor)
    expect(await only(hook.id)).toMatchObject({ state: 'active', failures: 0, reason: null, addresses: [rawOf(to)] })
    reader.close()
  })

  it('a webhook that fails is tried again with the same id, and then gets everything in order', async () => {
    const hook = await create({ types: ['blocks'] })
    receiver.respond = ({ path }) => (path === hook.path && receiver.all.filter((one) => one.path === path).length < 2 ? 500 : 200)
    await sender.send([stranger()])
    await sender.send([stranger()])
    await until(async () => (await only(hook.id)).state === 'failing')
    expect(await only(hook.id)).toMatchObject({ reason: 'answered with 500', failures: expect.any(Number), next_try: expect.any(Number) })
    const head = service.tonway.app.network.chain.head().id.seqno
    await until(() => receiver.taken(hook.path).some(({ seqno, workchain }) => workchain === -1 && seqno === head))
    const own = receiver.all.filter(({ path }) => path === hook.path)
    expect(own.slice(0, 3).map(({ id, status }) => [id, status])).toEqual([
      [own[0]!.id, 500],
      [own[0]!.id, 500],
      [own[0]!.id, 200],
    ])
    const seqnos = receiver.taken(hook.path).flatMap(({ workchain, seqno }) => (workchain === -1 ? [seqno!] : []))
    expect(seqnos).toEqual(Array.from({ length: seqnos.length }, (_, i) => seqnos[0]! + i))
    await until(async () => (await only(hook.id)).state === 'active')
    receiver.respond = () => 200
  }, 120_000)

  it('a webhook is told of a revert, and then of what is true', async () => {
    const [kept, undone] = [stranger(), stranger()]
    const hook = await create({ types: ['transactions'], addresses: [rawOf(kept), rawOf(undone)] })
    await sender.send([kept])
    const seqno = sender.seqno()
    const { snapshot } = (await service.call('local.snapshot', {})) as never as { snapshot: string }
    const target = service.tonway.app.network.chain.head().id.seqno
    await sender.send([undone])
    await until(() => receiver.taken(hook.path).length === 2)
    await service.call('local.revert', { snapshot } as never)
    sender.rewind(seqno)
    await sender.send([kept])
    await until(() => receiver.taken(hook.path).length === 4)
    expect(receiver.taken(hook.path).map(({ type }) => type)).toEqual(['transactions', 'transactions', 'reverted', 'transactions'])
    expect(receiver.taken(hook.path)[2]).toMatchObject({ type: 'reverted', seqno: target, cursor: expect.any(String) })
  })

  it('a webhook whose receiver stored an event but answered 500 gets the revert of its block', async () => {
    const [kept, undone] = [stranger(), stranger()]
    const hook = await create({ types: ['transactions'], addresses: [rawOf(kept), rawOf(undone)] })
    const isUndone = (event: object): boolean => JSON.stringify(event).includes(rawOf(undone))
    receiver.respond = ({ event }) => (isUndone(event) ? 500 : 200)
    await sender.send([kept])
    const seqno = sender.seqno()
    const { snapshot } = (await service.call('local.snapshot', {})) as never as { snapshot: string }
    const target = service.tonway.app.network.chain.head().id.seqno
    await sender.send([undone])
    await until(() => receiver.all.some(({ event }) => isUndone(event)))
    await service.call('local.revert', { snapshot } as never)
    sender.rewind(seqno)
    await sender.send([kept])
    await until(() => receiver.taken(hook.path).filter(({ type }) => type === 'transactions').length === 2)
    expect(receiver.taken(hook.path).map(({ type }) => type)).toEqual(['transactions', 'reverted', 'transactions'])
    expect(receiver.taken(hook.path)[1]).toMatchObject({ type: 'reverted', seqno: target })
    receiver.respond = () => 200
  })

  it('a webhook that answers 410 is paused at once, and goes on after a test that it takes', async () => {
    const hook = await create({ types: ['blocks'] })
    receiver.respond = ({ path }) => (path === hook.path ? 410 : 200)
    await sender.send([stranger()])
    await until(async () => (await only(hook.id)).state === 'paused')
    expect(await only(hook.id)).toMatchObject({ reason: 'answered with 410', next_try: null })
    expect(await service.call('hooks.test', { id: hook.id })).toMatchObject({ success: false, reason: 'answered with 410' })
    expect((await only(hook.id)).state).toBe('paused')
    await until(async () =>
      (await (await fetch(`${service.url}/metrics`)).text()).includes('tonway_hooks{network="local",state="paused"} 1'),
    )
    receiver.respond = () => 200
    expect(await service.call('hooks.test', { id: hook.id })).toMatchObject({ success: true, reason: null })
    await until(() => receiver.taken(hook.path).length > 1)
    expect(receiver.taken(hook.path)[0]).toMatchObject({ type: 'test', hook: hook.id })
    expect(await only(hook.id)).toMatchObject({ state: 'active', reason: null })
  })

  it('a webhook gets one id for each account that changes in a block, though the addresses begin alike', async () => {
    const addresses = [1, 2, 3].map((i) => `0:${String(i).padStart(64, '0')}`)
    const hook = await create({ types: ['account_state_change'], addresses })
    await Promise.all(addresses.map((address) => service.call('local.setAccount', { address, balance: '5000000000' } as never)))
    await until(() => new Set(receiver.taken(hook.path).map(({ account }) => account)).size === 3)
    const ids = receiver.all.filter(({ path }) => path === hook.path).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('a webhook that redirects is not followed', async () => {
    const hook = await create({ types: ['blocks'] })
    receiver.respond = ({ path }) => (path === hook.path ? 302 : 200)
    expect(await service.call('hooks.test', { id: hook.id })).toMatchObject({ success: false, reason: 'answered with 302' })
    expect(receiver.all.some(({ path }) => path === '/elsewhere')).toBe(false)
    receiver.respond = () => 200
  })

  it('a webhook that is deleted gets nothing any more', async () => {
    const hook = await create({ types: ['blocks'] })
    await sender.send([stranger()])
    await until(() => receiver.taken(hook.path).length > 0)
    expect(await service.call('hooks.delete', { id: hook.id })).toEqual({ deleted: true })
    expect(await service.call('hooks.delete', { id: hook.id })).toEqual({ deleted: false })
    expect((await service.call('hooks.list', {})).hooks.some(({ id }) => id === hook.id)).toBe(false)
    const count = receiver.taken(hook.path).length
    const other = await create({ types: ['blocks'] })
    await sender.send([stranger()])
    await until(() => receiver.taken(other.path).length > 1)
    expect(receiver.taken(hook.path).length).toBe(count)
  })
})
