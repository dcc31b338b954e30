import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSse } from '../events/sse.ts'
import { builtService } from '../kit/service/process.ts'
import { until } from '../kit/wait.ts'
import { get, post, rpcText, type WireAnswer } from '../kit/wire/connection.ts'
import { openLine } from '../kit/wire/line.ts'
import { expectRefusal, startServiceIn, type WireService } from '../kit/wire/service.ts'

/* Keys and plans, made with the service's own commands while it runs, and what callers see of them. Its PostgreSQL has the keys and the index. */

const FILE = { network: ['local', 'dev'], networks: { dev: { kind: 'local', index: 'off' } }, keys: 'on', anonymousRps: 2, dataDir: 'data' }

let folder = ''
let service: WireService
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-wire-'))
  // PostgreSQL runs as another user where this one is root.
  chmodSync(folder, 0o711)
  writeFileSync(join(folder, 'tonway.config.json'), JSON.stringify(FILE))
  service = await startServiceIn(folder, '--index', 'on')
  await until(async () => (await service.ask(get('/ready?for=v3'))).status === 200, 50)
}, 120_000)
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a command of the service; what it printed. */
const command = async (...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await builtService.start(words, { cwd: folder }).ended
  if (code !== 0) throw new Error(`tonway ${words.join(' ')} ended with ${code}: ${err}`)
  return out.trim()
}
const createKey = (owner: string, ...words: readonly string[]): Promise<string> => command('keys', 'create', '--owner', owner, ...words)
const PATH = '/api/v2/getMasterchainInfo'
const keyLine = (key: string): string => `X-API-Key: ${key}`
const CALL = rpcText('getMasterchainInfo')

const UNKNOWN = 'API key does not exist'
/** A key as one looks, which nobody made. */
const NOBODYS = `tw_${'x'.repeat(12)}_${'y'.repeat(40)}`
const SSE = '/api/streaming/v2/sse'

/** Asks the same many times at once on one connection; how many were answered, and a refusal. */
const flood = async (request: string, count: number): Promise<{ readonly passed: number; readonly refused: WireAnswer | undefined }> => {
  const connection = await service.open()
  await connection.send(request.repeat(count))
  const answers: WireAnswer[] = []
  while (answers.length < count) answers.push(await connection.answer())
  connection.destroy()
  return {
    passed: answers.filter(({ status }) => status === 200).length,
    refused: answers.find(({ status }) => status !== 200),
  }
}

describe('keys of callers', () => {
  it('a key is taken at once, from the header or the query, and the header wins', async () => {
    const key = await createKey('alice', '--plan', 'advanced')
    expect(key).toMatch(/^tw_\w{12}_\w{40}$/)
    for (const bytes of [
      get(PATH, keyLine(key)),
      get(`${PATH}?api_key=${key}`),
      get(`${PATH}?api%5Fkey=${key}`),
      get(`${PATH}?api_key=${NOBODYS}`, keyLine(key)),
      post('/jsonRPC', CALL, keyLine(key)),
      get('/api/v3/masterchainInfo', keyLine(key)),
    ])
      expect((await service.ask(bytes)).status).toBe(200)
    expect((await service.ask(get(`${PATH}?api_key=${key}`, keyLine(NOBODYS)))).status).toBe(401)
  })

  it.each([
    ['a key that nobody made', NOBODYS],
    ['a text that is no key', 'secret'],
  ])('%s is refused with 401 in the form of each interface', async (_what, key) => {
    expect(expectRefusal(await service.ask(get(PATH, keyLine(key))), 401)).toBe(UNKNOWN)
    const v3 = await service.ask(get('/api/v3/masterchainInfo', keyLine(key)))
    expect([v3.status, v3.json]).toEqual([401, { error: UNKNOWN, code: 401 }])
    const strict = { jsonrpc: '2.0', id: null, error: { code: -32001, message: UNKNOWN, data: { kind: 'UNAUTHORIZED' } } }
    const rpc = await service.ask(post('/jsonRPC', CALL, keyLine(key)))
    expect([rpc.status, rpc.json]).toEqual([401, strict])
    const stream = await service.ask(post(SSE, '{}', keyLine(key)))
    expect(stream.status).toBe(401)
    await expect(openLine(service, '/jsonRPC', { 'X-API-Key': key })).rejects.toThrow('401')
    await expect(openLine(service, '/api/streaming/v2/ws', { 'X-API-Key': key })).rejects.toThrow('401')
  })

  it('a key of another network is refused with 403, and served where it belongs', async () => {
    const key = await createKey('bob', '--plan', 'advanced', '--for', 'dev')
    expect(expectRefusal(await service.ask(get(PATH, keyLine(key))), 403)).toBe('Network not allowed')
    await expect(openLine(service, '/jsonRPC', { 'X-API-Key': key })).rejects.toThrow('403')
    expect((await service.ask(get(`/dev${PATH}`, keyLine(key)))).status).toBe(200)
  })

  it('a key in an answer, in /status or in /metrics would be a leak: there is none', async () => {
    const key = await createKey('carol')
    const asked = await Promise.all(
      [
        get(`${PATH}?api_key=${key}`),
        get(`/nothing?api_key=${key}`),
        post('/jsonRPC', CALL, keyLine(key)),
        get('/status'),
        get('/metrics'),
      ].map((bytes) => service.ask(bytes)),
    )
    for (const { text, headers } of asked) expect(text + JSON.stringify(headers)).not.toContain(key.slice(16))
  })
})

describe('plans', () => {
  it('a caller beyond the limit of its plan is refused with 429, and all keys of an owner share it', async () => {
    await command('plans', 'set', 'tiny', '--rps', '5')
    const keys = [await createKey('dave', '--plan', 'tiny'), await createKey('dave', '--plan', 'tiny')]
    const began = performance.now()
    const floods = await Promise.all(keys.map((key) => flood(get(PATH, keyLine(key)), 100)))
    const seconds = Math.floor((performance.now() - began) / 1_000) + 1
    const passed = floods.reduce((sum, each) => sum + each.passed, 0)
    expect(passed).toBeGreaterThanOrEqual(5)
    expect(passed).toBeLessThanOrEqual(5 * seconds)
    const { refused } = floods[0]!
    expect([expectRefusal(refused!, 429), refused!.headers['retry-after']]).toEqual(['Ratelimit exceeded', '1'])
    // Callers without a key have a limit of their own.
    expect((await service.ask(get(PATH))).status).toBe(200)
  })

  it('a plan that is changed holds for keys in use', async () => {
    await command('plans', 'set', 'small', '--rps', '3')
    const key = await createKey('erin', '--plan', 'small')
    expect((await flood(get(PATH, keyLine(key)), 50)).refused?.status).toBe(429)
    await command('plans', 'set', 'small', '--rps', '5000')
    await until(async () => (await flood(get(PATH, keyLine(key)), 50)).refused === undefined, 100)
  })

  it('a plan limits the sockets with events of an owner', async () => {
    await command('plans', 'set', 'quiet', '--rps', '1000', '--sockets', '1')
    const headers = { 'X-API-Key': await createKey('frank', '--plan', 'quiet') }
    const first = await openSse(service.url + SSE, { types: ['blocks'] }, headers)
    await expect(openSse(service.url + SSE, { types: ['blocks'] }, headers)).rejects.toThrow(
      'connection limit reached: 1 active connections',
    )
    first.close()
    await until(async () => {
      const again = await openSse(service.url + SSE, { types: ['blocks'] }, headers).catch(() => undefined)
      again?.close()
      return again !== undefined
    }, 50)
  })
})

describe('the end of a key', () => {
  it('a revoked key is refused within two seconds, and everything that is open by it ends, and nothing of other keys', async () => {
    const [key, other] = [await createKey('grace', '--plan', 'advanced'), await createKey('heidi', '--plan', 'advanced')]
    const opened = async (own: string) => {
      const headers = { 'X-API-Key': own }
      const rpc = await openLine(service, '/jsonRPC', headers)
      const stream = await openLine(service, '/api/streaming/v2/ws', headers)
      await stream.ask({ operation: 'subscribe', types: ['blocks'] })
      const sse = await openSse(service.url + SSE, { types: ['blocks'] }, headers)
      return { rpc, stream, sse }
    }
    const [ours, theirs] = [await opened(key), await opened(other)]
    expect(await ours.rpc.ask(CALL)).toMatchObject({ id: 1, result: expect.any(Object) })
    const revoked = command('keys', 'revoke', key.slice(3, 15)).then(() => performance.now())
    const refused = expect
      .poll(async () => (await service.ask(get(PATH, keyLine(key)))).status, { interval: 5 })
      .toBe(401)
      .then(() => performance.now())
    const ends = Promise.all([ours.rpc.closed, ours.stream.closed, ours.sse.closed]).then((closed) => ({ closed, at: performance.now() }))
    const [since, refusedAt, { closed, at }] = await Promise.all([revoked, refused, ends])
    expect(closed.slice(0, 2)).toEqual([
      [1_008, 'the API key was revoked'],
      [1_008, 'the API key was revoked'],
    ])
    expect(refusedAt - since).toBeLessThan(2_000)
    expect(at - since).toBeLessThan(2_000)
    expect((await service.ask(get(PATH, keyLine(other)))).status).toBe(200)
    expect(await theirs.rpc.ask(CALL)).toMatchObject({ id: 1, result: expect.any(Object) })
    for (const socket of [theirs.rpc.socket, theirs.stream.socket, theirs.sse]) socket.close()
  })

  it('a page is told by the close frame that its key is unknown, because a browser hides the answer to a handshake', async () => {
    for (const path of ['/jsonRPC', '/api/streaming/v2/ws']) {
      const { closed } = await openLine(service, `${path}?api_key=${NOBODYS}`, { Origin: 'https://dapp.example' })
      expect(await closed).toEqual([1_008, UNKNOWN])
    }
  })

  it('a key is replaced by another one with `keys rotate`, without overlap at once', async () => {
    const key = await createKey('ivan', '--plan', 'advanced')
    const next = await command('keys', 'rotate', key.slice(3, 15), '--overlap', '0')
    // Both keys have one limit.
    await until(async () => (await service.ask(get(PATH, keyLine(key)))).status === 401, 50)
    expect((await service.ask(get(PATH, keyLine(next)))).status).toBe(200)
  })
})
