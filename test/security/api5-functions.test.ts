import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registry } from '../../shared/registry.ts'
import { ask, openLine, post, rpcRequest } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { exchange, expectAlive, request } from './wire.ts'

/* OWASP API5:2023, broken function level authorization: who may not control the chain finds no way around to it. */

const controls = Object.keys(registry).filter((name) => name.startsWith('local.'))

let maker: Tonway
/** Another network: the same chain, followed over its lite-server. */
let follower: Tonway
beforeAll(async () => {
  maker = await startTonway({ blockTime: 0, liteserverPort: 0, metrics: 'local' })
  await post(`${maker.url}/jsonRPC`, rpcRequest('local.mine', { count: 2 }))
  follower = await startTonway({ network: ['copy'], globalConfig: `${maker.url}/global.config.json` })
})
afterAll(async () => {
  await follower?.close()
  await maker?.close()
})

const seqno = async (): Promise<number> =>
  ((await ask(`${maker.url}/api/v2/getMasterchainInfo`)).body as { result: { last: { seqno: number } } }).result.last.seqno
const mine = rpcRequest('local.mine', { count: 5 })
const REFUSED = [-32003, -32601, -32051]

describe('API5: control of the chain', () => {
  it('control of the chain is refused to pages of other origins, to other names, and behind any proxy, at every door', async () => {
    const before = await seqno()
    const disguises: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Host: 'evil.example' },
      { 'X-Forwarded-For': '127.0.0.1' },
      { 'X-Forwarded-Host': 'localhost' },
      { Forwarded: 'for=127.0.0.1;host=localhost' },
      { Via: '1.1 localhost' },
      { 'X-Real-IP': '127.0.0.1' },
      { 'CF-Connecting-IP': '127.0.0.1' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]
    for (const disguise of disguises) {
      const body = JSON.stringify(mine)
      const lines = Object.entries({ Connection: 'close', 'Content-Length': String(body.length), ...disguise }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      for (const path of ['/jsonRPC', '/api/v2/jsonRPC']) {
        // A second Host line would be refused as such: the disguised one is the only one.
        const text =
          'Host' in disguise
            ? request(`POST ${path}`, lines, body).replace('Host: localhost\r\n', '')
            : request(`POST ${path}`, lines, body)
        const answer = await exchange(maker.url, text)
        expect(answer.statuses).toHaveLength(1)
        expect([disguise, /-32003|"code":403/.test(answer.text)]).toEqual([disguise, true])
      }
      if ('Host' in disguise) continue
      const line = await openLine(maker.wsUrl, disguise)
      expect(await line.ask([mine, mine])).toMatchObject([{ error: { code: -32003 } }, { error: { code: -32003 } }])
      line.socket.close()
    }
    expect(await seqno()).toBe(before)
  })

  it('a header at the end of two thousand others is seen like the first', async () => {
    const before = await seqno()
    const body = JSON.stringify(mine)
    const many = Array.from({ length: 2_500 }, (_, i) => `a${i}:`)
    const { statuses } = await exchange(
      maker.url,
      request('POST /jsonRPC', [`Content-Length: ${body.length}`, 'Connection: close', ...many, 'X-Forwarded-For: 203.0.113.5'], body),
    )
    expect(statuses).toEqual([431])
    expect(await seqno()).toBe(before)
  })

  it.each([
    '/api/v2/local.mine',
    '/api/v2/local/mine',
    '/api/v3/local/mine',
    '/local/mine',
    '/local.mine',
    '/api/v2/local%2Emine',
    '/api/v2/jsonRPC/local.mine',
  ])('control of the chain has no REST path: %s', async (path) => {
    const before = await seqno()
    for (const method of ['GET', 'POST']) expect((await ask(maker.url + path, { method })).status).toBe(404)
    expect(await seqno()).toBe(before)
  })

  it.each([
    'Local.mine',
    'LOCAL.MINE',
    ' local.mine',
    'local.mine ',
    'local.mine\u0000',
    'local..mine',
    'lo\u0441al.mine',
    'local/mine',
    'mine',
    '__proto__',
    'constructor',
    'toString',
  ])('control of the chain has no other name: %j', async (name) => {
    const answer = await post(`${maker.url}/jsonRPC`, { ...mine, method: name })
    expect(answer.body).toMatchObject({ error: { code: -32601 } })
  })

  it('control of the chain does not exist on another network, whoever asks', async () => {
    for (const name of controls) {
      for (const answer of [
        await post(`${follower.url}/jsonRPC`, rpcRequest(name)),
        await post(`${follower.url}/local/jsonRPC`, rpcRequest(name)),
      ]) {
        if (answer.status === 404) continue
        expect(REFUSED).toContain((answer.body as { error: { code: number } }).error.code)
      }
    }
    expect(controls.length).toBeGreaterThan(5)
    const listed = await post(`${follower.url}/jsonRPC`, rpcRequest('rpc.discover'))
    expect(JSON.stringify(listed.body)).not.toContain('"name":"local.')
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'])('the verb %s does nothing', async (verb) => {
    const { statuses, text } = await exchange(
      maker.url,
      request(`${verb} /api/v2/getMasterchainInfo`, ['Connection: close', 'X-Secret: s3cret']),
    )
    expect(statuses).toHaveLength(1)
    expect([400, 404, 405]).toContain(statuses[0])
    expect(text).not.toContain('s3cret')
  })

  it('no header turns one verb into another', async () => {
    const headers = { 'X-HTTP-Method-Override': 'POST', 'X-Method-Override': 'POST', 'X-HTTP-Method': 'POST' }
    expect((await ask(`${maker.url}/api/v2/sendBoc?boc=AA&_method=POST`, { headers })).status).toBe(405)
  })

  it('figures of the process are only for callers on this machine', async () => {
    expect((await ask(`${maker.url}/metrics`)).status).toBe(200)
    for (const headers of [{ 'X-Forwarded-For': '127.0.0.1' }, { Origin: 'https://evil.example' }])
      expect((await ask(`${maker.url}/metrics`, { headers })).status).toBe(403)
    await expectAlive(maker.url)
  })
})
