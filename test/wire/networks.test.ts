import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, rpcText } from '../kit/wire/connection.ts'
import { frame, openFrames } from '../kit/wire/frames.ts'
import { startServiceIn, type WireService } from '../kit/wire/service.ts'

/* Which network a request is for: its path names it, or its host. */

const FILE = { network: ['local', 'dev'], networks: { dev: { kind: 'local', hosts: ['ton.example'] } } }
/** The chain of `dev` is longer, so that every answer tells which network it is of. */
const LONGER = 5

let folder: string
let service: WireService
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-wire-'))
  writeFileSync(join(folder, 'tonway.config.json'), JSON.stringify(FILE))
  service = await startServiceIn(folder)
  const mined = await service.ask(post('/dev/jsonRPC', rpcText('local.mine', { count: LONGER })))
  expect(mined.json).toMatchObject({ ok: true })
})
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const PATH = '/api/v2/getMasterchainInfo'
const networkOf = (json: unknown): string => {
  const { result } = json as { readonly result: { readonly last: { readonly seqno: number } } }
  return result.last.seqno > LONGER ? 'dev' : 'local'
}
const byHost = (host: string, bytes = get(PATH)): string => bytes.replace('Host: localhost', `Host: ${host}`)

describe('the network of a request', () => {
  it.each([
    ['local', get(PATH)],
    ['local', get(`/local${PATH}`)],
    ['dev', get(`/dev${PATH}`)],
    ['dev', get(`/dev${PATH}?api_key=a`)],
    ['dev', post('/dev/jsonRPC', rpcText('getMasterchainInfo'))],
    ['dev', post('/dev/api/v2/jsonRPC', rpcText('getMasterchainInfo'))],
    ['dev', post('/dev/', rpcText('getMasterchainInfo'))],
    ['dev', byHost('dev.localhost:8081')],
    ['dev', byHost('DEV.example')],
    ['dev', byHost('ton.example')],
    ['dev', byHost('TON.example:8081')],
    ['dev', byHost('dev.localhost', post('/jsonRPC', rpcText('getMasterchainInfo')))],
    ['dev', get(`http://dev.example${PATH}`)],
    ['local', byHost('dev.example', get(`http://localhost${PATH}`))],
    ['local', byHost('dev.example', get(`/local${PATH}`))],
    ['local', byHost('localhost.dev')],
    ['local', byHost('dev')],
    ['local', byHost('[::1]:8081')],
    ['local', byHost('other.ton.example')],
  ])('the network %s is meant by %j', async (network, bytes) => {
    const { status, json } = await service.ask(bytes)
    expect([status, networkOf(json)]).toEqual([200, network])
  })

  it('the network of a WebSocket is that of its handshake', async () => {
    for (const [path, network] of [
      ['/jsonRPC', 'local'],
      ['/dev/jsonRPC', 'dev'],
      ['http://dev.localhost/jsonRPC', 'dev'],
    ] as const) {
      const { connection, next } = await openFrames(service, path)
      await connection.send(frame(0x81, Buffer.from(rpcText('getMasterchainInfo'))))
      expect(networkOf(JSON.parse(String((await next()).payload)))).toBe(network)
      connection.destroy()
    }
  })

  it('a name that is no network is a path that means nothing', async () => {
    for (const path of [`/other${PATH}`, `/DEV${PATH}`, `/dev/local${PATH}`, `//dev${PATH}`])
      expect((await service.ask(get(path))).status).toBe(404)
  })

  it('operators’ paths tell of the network that is meant, and of all in short', async () => {
    const own = await service.ask(get('/dev/status'))
    expect(own.json).toMatchObject({ network: 'dev', networks: [{ network: 'local' }, { network: 'dev' }] })
    expect((await service.ask(get('/status'))).json).toMatchObject({ network: 'local' })
    expect((await service.ask(get('/dev/ready'))).json).toMatchObject({ ok: true, phase: 'ready' })
    const redirect = await service.ask(get('/dev/api/v2'))
    expect([redirect.status, redirect.headers['location']]).toEqual([302, '/dev/docs'])
  })
})
