import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, rpcText } from '../kit/wire/connection.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* Hundreds of connections of one client ask without pause, and another client comes. */

const CROWD = 500
const clientOf = (address: string): string => `X-Forwarded-For: ${address}`
let service: WireService
let wallet: string
beforeAll(async () => {
  service = await startService('--trusted-proxies', 'loopback')
  wallet = (await service.rpc<{ readonly wallets: readonly { readonly address: string }[] }>('local.wallets')).wallets[0]!.address
  await service.rpc('local.fund', { address: wallet, amount: '1000' })
})
afterAll(() => service?.stop())

let calls = 0
/** A get-method whose answer is in no cache. */
const callOf = (address: string): string =>
  post('/jsonRPC', rpcText('runGetMethod', { address: wallet, method: 'seqno', stack: [['num', String(++calls)]] }), clientOf(address))

describe('a client beside a crowd of connections', () => {
  let answered = 0
  let isOver = false
  let crowd: Promise<void>[]
  beforeAll(async () => {
    const connections = await Promise.all(Array.from({ length: CROWD }, () => service.open()))
    crowd = connections.map(async (connection) => {
      while (!isOver) {
        await connection.send(callOf('203.0.113.1'))
        expect((await connection.answer()).status).toBe(200)
        answered++
      }
      connection.destroy()
    })
  })
  afterAll(async () => {
    isOver = true
    await Promise.all(crowd)
  })

  it.each([
    ['a get-method', () => callOf('203.0.113.2')],
    ['the health', () => get('/health', clientOf('203.0.113.3'))],
  ])('%s on a new connection is answered while the crowd has a few turns', async (_what, requestOf) => {
    // All of the crowd is accepted by then.
    await expect.poll(() => answered).toBeGreaterThan(5 * CROWD)
    // The crowd asks from this process, whose own event loop answers it hundreds at a time. So one of three may be read late.
    const waited: number[] = []
    for (let i = 0; i < 3; i++) {
      const before = answered
      expect((await service.ask(requestOf())).status).toBe(200)
      waited.push(answered - before)
    }
    expect(waited.sort((a, b) => a - b)[1]).toBeLessThan(10 * CROWD)
  })
})
