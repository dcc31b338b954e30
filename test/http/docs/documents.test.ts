import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'

let tonway: Tonway
beforeAll(async () => {
  tonway = await startTonway({ blockTime: 0 })
})
afterAll(() => tonway?.close())

describe('/docs', () => {
  it('/openrpc.json and rpc.discover are the same document, which says where to call', async () => {
    const openrpc = await (await fetch(`${tonway.url}/openrpc.json`)).json()
    const discovered = await fetch(`${tonway.url}/jsonRPC`, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}' })
    expect((await discovered.json()).result).toEqual(openrpc)
    // A client that reads the document alone knows where to call.
    expect(openrpc.servers).toMatchObject([{ url: `${tonway.url}/jsonRPC` }])
  })

  it.each([
    '/docs/',
    '/api/v2',
    '/api/v2/',
    '/api/v2/index.html',
    '/api/v3',
    '/api/v3/',
    '/api/v3/index.html',
  ])('%s leads to the documents', async (path) => {
    const answer = await fetch(`${tonway.url}${path}`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs'])
    const prefixed = await fetch(`${tonway.url}/local${path}`, { redirect: 'manual' })
    expect(prefixed.headers.get('location')).toBe('/local/docs')
    expect(await (await fetch(`${tonway.url}${path}`)).json()).toHaveProperty('openapi')
  })
})
