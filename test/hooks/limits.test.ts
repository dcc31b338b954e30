import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetch } from '../../server/net/fetch.ts'
import { createPost } from '../../server/net/post.ts'
import { type Connection, connect } from '../../server/store/postgres/connection.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { post, type RpcReply, rpcRequest } from '../kit/service/client.ts'
import { until } from '../kit/wait.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/* Who may have webhooks, how many, and where they may lead. */

let server: TestServer
let service: Guarded
let receiver: Receiver
let db: Connection
beforeAll(async () => {
  server = await startTestServer()
  const database = await server.database()
  db = await connect(database)
  service = await startGuarded(urlOf(database), { index: true, hooksAllow: ['allowed.example', '127.0.0.1'] })
  await until(async () => (await fetch(`${service.url}/ready`)).ok)
  receiver = await startReceiver()
})
afterAll(async () => {
  await service?.close()
  await db?.close()
  await server?.close()
  await receiver?.close()
})

const call = async (method: string, params: object, key?: string, headers: Record<string, string> = {}) =>
  (
    await post<RpcReply<{ id: string; hooks: { id: string; state: string; reason: string }[]; deleted: boolean }>>(
      `${service.url}/jsonRPC`,
      rpcRequest(method, params),
      { ...headers, ...(key !== undefined && { 'X-API-Key': key }) },
    )
  ).body
const createOf = (key?: string, url = `${receiver.url}/`) => call('hooks.create', { url, types: ['blocks'] }, key)

describe('hooks of an owner', () => {
  it('hooks of an owner are seen and deleted with any key of the owner, and with no other', async () => {
    const [first, again, other] = [
      await service.key({ owner: 'ann' }),
      await service.key({ owner: 'ann' }),
      await service.key({ owner: 'bob' }),
    ]
    const { id } = (await createOf(first.key)).result!
    expect((await call('hooks.list', {}, again.key)).result!.hooks.map((hook) => hook.id)).toEqual([id])
    expect((await call('hooks.list', {}, other.key)).result!.hooks).toEqual([])
    expect((await call('hooks.test', { id }, other.key)).error).toMatchObject({ data: { kind: 'NOT_FOUND' } })
    expect((await call('hooks.delete', { id }, other.key)).result).toEqual({ deleted: false })
    expect((await call('hooks.delete', { id }, again.key)).result).toEqual({ deleted: true })
  })

  it('hooks of an owner are at most 100, and further attempts are refused with that', async () => {
    const { key } = await service.key({ owner: 'many' })
    const replies: Awaited<ReturnType<typeof createOf>>[] = []
    // As many as the plan lets through in a second: making a hook costs five calls.
    for (let i = 0; i < 15; i++) {
      replies.push(...(await Promise.all(Array.from({ length: 20 }, () => createOf(key)))))
      service.clock.pass(2_000)
    }
    const refused = replies.filter(({ error }) => error?.message.startsWith('hook limit reached: max 100 of an owner'))
    expect([replies.filter(({ result }) => result !== undefined).length, refused.length]).toEqual([100, 200])
    expect((await call('hooks.list', {}, key)).result!.hooks).toHaveLength(100)
  }, 120_000)

  it('lists of one owner, hundreds at once, do not delay the list of another one', async () => {
    const [{ key }, other] = [await service.key({ owner: 'many' }), await service.key()]
    const filter = JSON.stringify({ types: ['trace'], addresses: Array.from({ length: 1_000 }, () => `0:${'A'.repeat(64)}`) })
    await db.query('update hooks set filter = $1 where owner = $2', [filter, 'many'])
    service.clock.pass(5_000)
    const ended: string[] = []
    const list = (of: string): Promise<unknown> => call('hooks.list', {}, of).then(() => ended.push(of))
    const lists = Array.from({ length: 60 }, () => list(key))
    await new Promise((resolve) => setTimeout(resolve, 300))
    await list(other.key)
    expect(ended.length).toBeLessThan(40)
    await Promise.all(lists)
  }, 120_000)

  it('hooks of a few owners with many addresses leave room for those of others', async () => {
    const [many, other] = [await service.key({ owner: 'many' }), await service.key()]
    await db.query('delete from hooks where id in (select id from hooks where owner = $1 limit 1)', ['many'])
    await db.query('update hooks set filter = repeat($1, $2)::text where owner = $3', [' ', 700 << 10, 'many'])
    service.clock.pass(5_000)
    expect((await createOf(many.key)).error?.message).toMatch(/addresses$/)
    expect((await createOf(other.key)).result).toBeDefined()
    await db.query('delete from hooks where owner = $1', ['many'])
  }, 120_000)

  it('hooks without a key are for callers on this machine, and not for the pages of others', async () => {
    service.clock.pass(5_000)
    expect((await createOf(undefined)).result).toMatchObject({ id: expect.stringMatching(/^hook_/) })
    service.clock.pass(5_000)
    const page = await call('hooks.list', {}, undefined, { Origin: 'https://evil.example' })
    expect(page.error).toMatchObject({ data: { kind: 'FORBIDDEN' }, message: expect.stringContaining('TONWAY_ALLOW_LOCAL') })
  })

  it('hooks whose owner has no valid key any more are paused, which is told', async () => {
    const { key, id } = await service.key({ owner: 'gone' })
    const hook = (await createOf(key)).result!
    await service.store.revoke(id)
    await service.key({ owner: 'late', expiresAt: new Date(service.clock.now() * 1000) })
    const keys = await service.app.access.owners!('local', ['gone', 'ann', 'late', 'nobody'])
    expect([...keys]).toEqual(['ann'])
    expect([...(await service.app.access.owners!('testnet', ['ann']))]).toEqual([])
    expect(hook.id).toMatch(/^hook_/)
  })
})

describe('the address of a hook', () => {
  it.each([
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    'https://0x0a000001/',
    'https://167772161/',
    'http://1.1.1.1/',
    // This machine, by what the operator has not named.
    'http://localhost/',
    'http://[::1]/',
    'https://127.0.0.2/',
  ])('%s is refused, with what would permit it', async (url) => {
    const { key } = await service.key()
    expect((await createOf(key, url)).error).toMatchObject({
      data: { kind: 'INVALID_PARAMS' },
      message: expect.stringMatching(/^url: .*(no public address|https is required); TONWAY_HOOKS_ALLOW allows hosts$/),
    })
  })

  it('this machine is sent nothing at an address that is not allowed, though a hook with it is stored', async () => {
    const { key } = await service.key()
    const { id } = (await createOf(key, `${receiver.url}/stored`)).result!
    expect((await call('hooks.test', { id }, key)).result).toMatchObject({ success: true })
    await db.query(`update hooks set url = replace(url, '127.0.0.1', '[::ffff:127.0.0.1]') where id = $1`, [id])
    expect((await call('hooks.test', { id }, key)).result).toMatchObject({ success: false, reason: 'https is required' })
  })

  it.each([
    'ftp://example.com/',
    'https://user:password@example.com/',
    'https://',
    'x'.repeat(3_000),
    5,
    null,
  ])('%s is not one, which the error says', async (url) => {
    const { key } = await service.key()
    expect((await createOf(key, url as string)).error).toMatchObject({ message: expect.stringContaining('url') })
  })
})

describe('what posts to URLs of anybody', () => {
  const { signal } = new AbortController()
  const body = Buffer.from('{}')

  it('what posts checks the addresses when it connects, and goes to them: a name that has changed since is refused', async () => {
    let addresses = ['1.1.1.1']
    const sender = createPost({ hosts: [], loopback: false, resolve: async () => addresses })
    await sender.check('https://rebound.example/', signal)
    addresses = ['127.0.0.1', '10.0.0.1']
    await expect(sender.send('https://rebound.example/', {}, body, signal)).rejects.toThrow('rebound.example has no public address')
    await expect(sender.send(`${receiver.url}/`, {}, body, signal)).rejects.toThrow('https is required')
    sender.close()
  })

  it('what posts reaches private addresses of hosts that are allowed alone', async () => {
    const port = new URL(receiver.url).port
    const sender = createPost({ hosts: ['allowed.example'], loopback: false, resolve: async () => ['127.0.0.1'] })
    expect(await sender.send(`http://allowed.example:${port}/named`, {}, body, signal)).toBe(200)
    await expect(sender.send(`http://other.example:${port}/named`, {}, body, signal)).rejects.toThrow('https is required')
    sender.close()
  })

  it('what posts may be sent to an IPv6 address that is allowed', async () => {
    const sender = createPost({ hosts: ['fd00::1'], loopback: false })
    await sender.check('http://[fd00::1]/', signal)
    await sender.check('https://[fd00:0::1]:8443/', signal)
    await expect(sender.check('https://[fd00::2]/', signal)).rejects.toThrow('no public address')
    sender.close()
  })

  it('what posts is told when a receiver leaves HTTP, whether the receiver then closes or waits', async () => {
    const sender = createPost({ hosts: [], loopback: true })
    const fetcher = createFetch({ isAllowed: () => true })
    for (const last of ['end', 'write'] as const) {
      const server = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket[last]('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      await expect(sender.send(url, {}, body, signal)).rejects.toThrow('closed without an answer')
      await expect(fetcher.get(url, signal)).rejects.toThrow('closed without an answer')
      server.close()
    }
    sender.close()
  })

  it('what posts reads no more than 64 KB of an answer, and uses a connection again', async () => {
    const sender = createPost({ hosts: [], loopback: true })
    for (let i = 0; i < 3; i++) expect(await sender.send(`${receiver.url}/again`, {}, body, signal)).toBe(200)
    sender.close()
    const own = createFetch({ types: ['application/json'] })
    await expect(own.get(receiver.url, signal)).rejects.toThrow('no public address')
  })
})
