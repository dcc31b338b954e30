import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway } from '../../server/start/start.ts'
import type { Tonway, TonwayOptions } from '../../server/start/types.ts'

const FRIEND = `0:${'77'.repeat(32)}`

const PLACES: readonly (readonly [string, TonwayOptions])[] = [
  ['in the same thread', {}],
  ['in a thread of its own', { thread: true }],
]

describe.each(PLACES)('the client of a tonway %s', (_, place) => {
  let tonway: Tonway
  beforeAll(async () => {
    tonway = await startTonway({ ...place, port: 'off' })
  })
  afterAll(() => tonway?.close())

  it('single calls and batches are answered, with the errors of the service', async () => {
    const { client } = tonway
    await client.local.fund({ address: FRIEND, amount: '5' })
    const answers = await client.batch([
      { method: 'getAddressBalance', params: { address: FRIEND } },
      { method: 'getAddressBalance', params: { address: 'x' } },
    ])
    expect(answers).toMatchObject([
      { ok: true, result: '5' },
      { ok: false, error: { kind: 'INVALID_PARAMS' } },
    ])
    await expect(client.getAddressBalance({ address: 'x' })).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
  })

  it('its calls are counted like requests, and have the limit of callers without a key', async () => {
    await using tonway = await startTonway({ ...place, port: 'off', anonymousRps: 1 })
    const controller = new AbortController()
    const ask = (address: string) => tonway.client.getAddressBalance({ address }, { signal: controller.signal })
    await ask(FRIEND)
    // The client waits and tries again, so a refused call takes a second.
    const refused = Promise.allSettled(Array.from({ length: 20 }, (_, i) => ask(`0:${String(i).padStart(64, '0')}`)))
    const figure = async (pattern: RegExp): Promise<number> => Number(pattern.exec(await (await tonway.fetch('/metrics')).text())?.[1])
    await expect.poll(() => figure(/^tonway_refused_total\{.*anonymous.*\} (\d+)$/m)).toBeGreaterThan(0)
    expect(await figure(/^tonway_http_requests_total\{.*"jsonRPC".*\} (\d+)$/m)).toBeGreaterThan(0)
    controller.abort()
    await refused
  })

  it('a call that is too large is refused', async () => {
    const boc = 'A'.repeat(1 << 20)
    await expect(tonway.client.sendBoc({ boc })).rejects.toMatchObject({
      kind: 'TOO_LARGE',
      message: expect.stringContaining('1048576 bytes'),
    })
  })

  it('a call that its caller gives up ends, and the next one is answered', async () => {
    await using tonway = await startTonway({ ...place, port: 'off' })
    const controller = new AbortController()
    const call = tonway.client.local.mine({ count: 100_000 }, { signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    await expect(call).rejects.toMatchObject({ kind: 'ABORTED' })
    expect(await tonway.client.getAddressBalance({ address: FRIEND })).toBe('0')
  })

  it('calls that run while the tonway is closed are rejected, and so are later ones', async () => {
    const tonway = await startTonway({ ...place, port: 'off' })
    const call = tonway.client.local.mine({ count: 100_000 })
    const rejected = expect(call).rejects.toMatchObject({ kind: 'NETWORK' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await tonway.close()
    await rejected
    const closed = { kind: 'NETWORK', message: expect.stringContaining('this tonway is closed') }
    await expect(tonway.client.getMasterchainInfo()).rejects.toMatchObject(closed)
    await expect(tonway.record(async () => 1)).rejects.toThrow('this tonway is closed')
    await expect(tonway.indexed()).rejects.toThrow('this tonway is closed')
  })

  it('its calls are answered while every request is logged', async () => {
    await using tonway = await startTonway({ ...place, port: 'off', accessLog: true })
    expect(await tonway.client.getAddressBalance({ address: FRIEND })).toBe('0')
  })
})
