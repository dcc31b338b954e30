import { describe, expect, it, vi } from 'vitest'
import { createClient } from '../../client/index.ts'
import { retryAfterOf } from '../../client/transport/post.ts'
import { type Answer, answerEcho, failing, send, serve } from './servers.ts'

/** Answers badly so many times, then as it should. */
const badTimes = (times: number, bad: Answer): Answer => {
  let left = times
  return (seen, response, request) => (left-- > 0 ? bad(seen, response, request) : answerEcho(seen, response, request))
}
const retry = { times: 3, base: 1 }

describe('a read is sent again', () => {
  it.each([
    ['a dropped socket', (_, response) => void response.destroy()],
    ['408', (_, response) => send(response, '', 408)],
    ['429', (_, response) => send(response, '', 429)],
    ['500', (_, response) => send(response, 'oops', 500)],
    ['502', (_, response) => send(response, '<html>', 502)],
    [
      '503',
      (_, response) =>
        send(response, { jsonrpc: '2.0', id: null, error: { code: -32053, message: 'starting', data: { kind: 'UNAVAILABLE' } } }, 503),
    ],
    ['504', (_, response) => send(response, '', 504)],
    [
      'an item that says it may be',
      ({ calls, body }, response) => {
        const items = calls.map(({ id }) => ({
          jsonrpc: '2.0',
          id,
          error: { code: -32054, message: 'timeout', data: { kind: 'SOURCE_TIMEOUT' } },
        }))
        send(response, Array.isArray(body) ? items : items[0])
      },
    ],
  ] satisfies [string, Answer][])('a read is sent again after %s', async (_, bad) => {
    await using server = await serve(badTimes(2, bad))
    const ton = createClient({ url: server.url, retry })
    expect(await ton.getMasterchainInfo()).toMatchObject({ method: 'getMasterchainInfo' })
    expect(server.seen.length).toBe(3)
  })

  it('reads are sent again as often as it takes while a limit lets a part of the batch through each time', async () => {
    const refused = { error: { code: -32029, message: 'Ratelimit exceeded', data: { kind: 'RATE_LIMITED', retryAfter: 0 } } }
    let open = 1
    await using server = await serve(({ calls, body }, response) => {
      const items = calls.map(({ id, params }, i) => ({ jsonrpc: '2.0', id, ...(i < open ? { result: params['seqno'] } : refused) }))
      send(response, Array.isArray(body) ? items : items[0])
    })
    const ton = createClient({ url: server.url, retry: { times: 1, base: 1 } })
    const ask = () => Promise.allSettled([1, 2, 3, 4, 5, 6].map((seqno) => ton.getShards({ seqno })))
    expect((await ask()).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'fulfilled'))
    expect(server.seen.map(({ calls }) => calls.length)).toEqual([6, 5, 4, 3, 2, 1])
    // Without progress the attempts are counted.
    open = 0
    server.seen.length = 0
    expect((await ask()).map((one) => one.status === 'rejected' && (one.reason as { kind: string }).kind)).toEqual(
      Array.from({ length: 6 }, () => 'RATE_LIMITED'),
    )
    expect(server.seen.map(({ calls }) => calls.length)).toEqual([6, 6])
  })

  it('the failed reads of a batch are sent again together', async () => {
    await using server = await serve(({ calls }, response) =>
      send(
        response,
        calls.map(({ id, params }) =>
          server.seen.length < 3 && String(params['address']).startsWith('bad')
            ? { jsonrpc: '2.0', id, error: { code: -32029, message: 'slow', data: { kind: 'RATE_LIMITED' } } }
            : { jsonrpc: '2.0', id, result: 'ok' },
        ),
      ),
    )
    const ton = createClient({ url: server.url, retry })
    const addresses = ['a', 'bad1', 'b', 'bad2', 'c']
    expect(await Promise.all(addresses.map((address) => ton.getAddressBalance({ address })))).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
    expect(server.seen.map(({ calls }) => calls.map(({ params }) => params['address']))).toEqual([
      addresses,
      ['bad1', 'bad2'],
      ['bad1', 'bad2'],
    ])
  })

  it('a read is sent again a limited number of times', async () => {
    await using server = await serve((_, response) => send(response, '', 503))
    expect(await failing(createClient({ url: server.url, retry }).getMasterchainInfo())).toMatchObject({ kind: 'UNAVAILABLE', status: 503 })
    expect(server.seen.length).toBe(4)
    expect(await failing(createClient({ url: server.url, retry: false }).getMasterchainInfo())).toMatchObject({ kind: 'UNAVAILABLE' })
    expect(server.seen.length).toBe(5)
  })

  it('a read is sent again after the time that the server asks for', async () => {
    await using server = await serve(badTimes(1, (_, response) => send(response, '', 429, { 'Retry-After': '1' })))
    const ton = createClient({ url: server.url, retry })
    await ton.getMasterchainInfo()
    const [first, second] = server.seen
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(995)
  })

  it('a read is not sent again if the asked time is longer than the longest pause', async () => {
    await using server = await serve((_, response) => send(response, '', 429, { 'Retry-After': '3600' }))
    const ton = createClient({ url: server.url, retry })
    expect(await failing(ton.getMasterchainInfo())).toMatchObject({ kind: 'RATE_LIMITED', retryAfterMs: 3_600_000 })
    expect(server.seen.length).toBe(1)
  })

  it('a call of a batch can have its own time to wait', async () => {
    await using server = await serve(({ calls }, response) =>
      send(response, {
        jsonrpc: '2.0',
        id: calls[0]!.id,
        error: { code: -32029, message: 'slow', data: { kind: 'RATE_LIMITED', retryAfter: 60 } },
      }),
    )
    expect(await failing(createClient({ url: server.url, retry }).getMasterchainInfo())).toMatchObject({ retryAfterMs: 60_000 })
  })

  it('a read that is aborted while it waits is not sent again', async () => {
    await using server = await serve((_, response) => send(response, '', 503))
    const ton = createClient({ url: server.url, retry: { times: 3, base: 60_000, cap: 60_000 } })
    const stop = new AbortController()
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const ended = vi.spyOn(globalThis, 'clearTimeout')
    const call = failing(ton.getMasterchainInfo({}, { signal: stop.signal }))
    const pause = (): number => timers.mock.calls.findIndex(([, ms]) => ms === 30_000)
    await expect.poll(pause).toBeGreaterThanOrEqual(0)
    stop.abort()
    expect((await call).kind).toBe('ABORTED')
    expect(ended).toHaveBeenCalledWith(timers.mock.results[pause()]?.value)
    expect(server.seen.length).toBe(1)
  })
})

describe('never sent again', () => {
  it.each([
    ['a dropped socket', 'NETWORK', (_, response) => void response.destroy()],
    ['503', 'UNAVAILABLE', (_, response) => send(response, '', 503)],
    ['429', 'RATE_LIMITED', (_, response) => send(response, '', 429, { 'Retry-After': '0' })],
  ] satisfies [string, string, Answer][])('a write is never sent again after %s', async (_, kind, bad) => {
    await using server = await serve(bad)
    const ton = createClient({ url: server.url, retry })
    expect(await failing(ton.sendBoc({ boc: 'x' }))).toMatchObject({ kind, method: 'sendBoc' })
    expect(await failing(ton.local.mine())).toMatchObject({ kind })
    expect(server.seen.length).toBe(2)
  })

  it('a write is not sent again with the reads of its batch', async () => {
    const good = { jsonrpc: '2.0', result: 'ok' }
    await using server = await serve(({ calls, body }, response) => {
      if (server.seen.length === 2) return void response.destroy()
      const items = calls.map(({ id }) => ({ ...good, id }))
      send(response, Array.isArray(body) ? items : items[0])
    })
    const ton = createClient({ url: server.url, retry })
    // The server's arrays are known from here on.
    await Promise.all([ton.getAddressBalance({ address: 'a' }), ton.getAddressBalance({ address: 'b' })])
    const [read, write] = await Promise.allSettled([ton.getMasterchainInfo(), ton.sendBoc({ boc: 'x' })])
    expect(read).toEqual({ status: 'fulfilled', value: 'ok' })
    expect(write).toMatchObject({ status: 'rejected', reason: { kind: 'NETWORK' } })
    expect(server.seen.map(({ calls }) => calls.map(({ method }) => method)).slice(1)).toEqual([
      ['getMasterchainInfo', 'sendBoc'],
      ['getMasterchainInfo'],
    ])
  })

  it.each([
    ['INVALID_PARAMS', 422],
    ['NOT_FOUND', 404],
    ['CHAIN', 500],
    ['NOT_SERVED', 501],
    ['STACK_TOO_DEEP', 533],
  ])('a read that was refused as %s is not sent again', async (kind, status) => {
    await using server = await serve(({ calls }, response) =>
      send(response, { jsonrpc: '2.0', id: calls[0]!.id, error: { code: -1, message: 'no', data: { kind } } }, status),
    )
    expect(await failing(createClient({ url: server.url, retry }).getMasterchainInfo())).toMatchObject({ kind })
    expect(server.seen.length).toBe(1)
  })
})

describe('Retry-After', () => {
  it.each([
    ['2', 2000],
    ['0', 0],
    ['0.5', 500],
    ['-5', 0],
    ['', undefined],
    [null, undefined],
    ['soon', undefined],
    [new Date(0).toUTCString(), 0],
  ])('Retry-After is read: %s', (text, ms) => {
    expect(retryAfterOf(text)).toBe(ms)
  })
  it('Retry-After may be a date', () => {
    const ms = retryAfterOf(new Date(Date.now() + 60_000).toUTCString())!
    expect(ms).toBeGreaterThan(55_000)
    expect(ms).toBeLessThanOrEqual(60_000)
  })
})
