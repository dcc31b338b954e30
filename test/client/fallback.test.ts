import { describe, expect, it } from 'vitest'
import { type Call, createClient, type Failure, fallback, http, type Transport } from '../../client/index.ts'
import { sleep } from '../kit/wait.ts'
import { type Answer, answerEcho, failing, send, serve } from './servers.ts'

const retry = { times: 1, base: 1 } as const
const masterchain =
  (seqno: number, delay = 0): Answer =>
  async ({ calls, body }, response) => {
    if (delay > 0) await sleep(delay)
    const items = calls.map(({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      result: method === 'getMasterchainInfo' ? { last: { seqno } } : seqno,
    }))
    send(response, Array.isArray(body) ? items : items[0])
  }

/** Calls until the answer is this balance. */
const untilBalance = async (ton: ReturnType<typeof createClient>, balance: number): Promise<void> => {
  const ask = async (): Promise<unknown> => {
    await sleep(20)
    return ton.getAddressBalance({ address: `${performance.now()}` })
  }
  await expect.poll(ask, { timeout: 10_000 }).toBe(balance)
}

describe('fallback', () => {
  it.each([
    ['dropped sockets', (_, response) => void response.destroy()],
    ['HTML', (_, response) => send(response, '<html>')],
    ['503', (_, response) => send(response, '', 503)],
    ['429', (_, response) => send(response, '', 429)],
    ['410', (_, response) => send(response, '', 410)],
    ['nothing in time', () => {}],
  ] satisfies [string, Answer][])('fallback reads go on to the next server after %s, writes do not', async (_, bad) => {
    await using first = await serve(bad)
    await using second = await serve(answerEcho)
    const ton = createClient({
      transport: fallback([http({ url: first.url, timeout: 200 }), http({ url: second.url })], { rank: false }),
      retry,
    })
    expect(await Promise.all([ton.getAddressBalance({ address: 'a' }), ton.getAddressState({ address: 'a' })])).toMatchObject([
      { method: 'getAddressBalance' },
      { method: 'getAddressState' },
    ])
    const before = second.seen.length
    expect(await failing(ton.sendBoc({ boc: 'x' }))).toMatchObject({ method: 'sendBoc', endpoint: `${first.url}/jsonRPC` })
    expect(second.seen.length).toBe(before)
  })

  it('only reads that failed for a reason of the server go to the next one', async () => {
    await using first = await serve(({ calls }, response) =>
      send(
        response,
        calls.map(({ id, method }) =>
          method === 'getAddressBalance'
            ? { jsonrpc: '2.0', id, error: { code: -32602, message: 'bad', data: { kind: 'INVALID_PARAMS' } } }
            : method === 'getAddressState'
              ? { jsonrpc: '2.0', id, error: { code: -32051, message: 'not here', data: { kind: 'NOT_SERVED' } } }
              : { jsonrpc: '2.0', id, result: 'first' },
        ),
      ),
    )
    await using second = await serve(({ calls, body }, response) => {
      const items = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: 'second' }))
      send(response, Array.isArray(body) ? items : items[0])
    })
    const ton = createClient({ transport: fallback([http({ url: first.url }), http({ url: second.url })], { rank: false }), retry })
    const ends = await Promise.allSettled([
      ton.getAddressBalance({ address: 'a' }),
      ton.getAddressState({ address: 'a' }),
      ton.getMasterchainInfo(),
    ])
    expect(ends).toMatchObject([{ reason: { kind: 'INVALID_PARAMS' } }, { value: 'second' }, { value: 'first' }])
    expect(second.seen.map(({ calls }) => calls.map(({ method }) => method))).toEqual([['getAddressState']])
  })

  it('if all servers fail, the last server’s error comes after so many rounds', async () => {
    await using first = await serve((_, response) => send(response, '', 503))
    await using second = await serve((_, response) => void response.destroy())
    const ton = createClient({ transport: fallback([http({ url: first.url }), http({ url: second.url })], { rank: false }), retry })
    expect(await failing(ton.getMasterchainInfo())).toMatchObject({ kind: 'NETWORK', endpoint: `${second.url}/jsonRPC` })
    expect([first.seen.length, second.seen.length]).toEqual([2, 2])
  })

  it('a server that failed is asked last from then on, and first again when it works', async () => {
    let ill = true
    await using first = await serve((seen, response, request) => (ill ? send(response, '', 503) : masterchain(10)(seen, response, request)))
    await using second = await serve(masterchain(10, 30))
    const ton = createClient({ transport: fallback([http({ url: first.url }), http({ url: second.url })], { rank: 20 }), retry })
    const read = async (n: number) => {
      await ton.getAddressBalance({ address: `a${n}` })
      await sleep(30)
    }
    for (let n = 0; n < 4; n++) await read(n)
    const balances = (server: typeof first) => server.seen.filter(({ calls }) => calls[0]!.method === 'getAddressBalance').length
    expect([balances(first), balances(second)]).toEqual([1, 4])
    ill = false
    await expect
      .poll(
        async () => {
          await read(performance.now())
          return balances(first)
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(2)
  })

  it('the faster server comes first, and one that is behind comes after one that is not', async () => {
    await using slow = await serve(masterchain(100, 60))
    await using behind = await serve(masterchain(50))
    await using good = await serve(masterchain(100))
    const transport = fallback([http({ url: behind.url }), http({ url: slow.url }), http({ url: good.url })], { rank: 10 })
    const ton = createClient({ transport, retry })
    expect(await ton.getAddressBalance({ address: 'first' })).toBe(50)
    await untilBalance(ton, 100)
    good.seen.length = slow.seen.length = 0
    await ton.getAddressBalance({ address: 'then' })
    expect(good.seen.map(({ calls }) => calls[0]!.params['address'])).toContain('then')
    expect(slow.seen.map(({ calls }) => calls[0]!.params['address'])).not.toContain('then')
  })

  it('a server that claims a high seqno and fails comes after those that work', async () => {
    await using liar = await serve(({ calls: [call] }, response) =>
      call!.method === 'getMasterchainInfo'
        ? send(response, { jsonrpc: '2.0', id: call!.id, result: { last: { seqno: Number.MAX_SAFE_INTEGER } } })
        : send(response, '', 503),
    )
    await using good = await serve(masterchain(100))
    const ton = createClient({ transport: fallback([http({ url: liar.url }), http({ url: good.url })]), retry })
    for (let i = 0; i < 20; i++) expect(await ton.getAddressBalance({ address: `${i}` })).toBe(100)
    liar.seen.length = 0
    await ton.getAddressBalance({ address: 'then' })
    expect(liar.seen.map(({ calls }) => calls[0]!.method)).not.toContain('getAddressBalance')
  })

  it.each([
    { last: { seqno: { valueOf: 1 } } },
    { last: 'x' },
    { last: {} },
  ])('the health of a server that answers %o is bad', async (result) => {
    await using bad = await serve(({ calls: [call] }, response) => send(response, { jsonrpc: '2.0', id: call!.id, result }))
    await using good = await serve(masterchain(100))
    const ton = createClient({ transport: fallback([http({ url: bad.url }), http({ url: good.url })], { rank: 5 }), retry })
    await untilBalance(ton, 100)
  })

  it('the health of servers is not checked while no calls are made', async () => {
    await using one = await serve(masterchain(1))
    const ton = createClient({ transport: fallback([http({ url: one.url }), http({ url: one.url })], { rank: 5 }) })
    await ton.getAddressBalance({ address: 'a' })
    await sleep(30)
    const before = one.seen.length
    await sleep(60)
    expect(one.seen.length).toBe(before)
  })

  it('a server that asked for a pause is left alone, unless there is no other', async () => {
    await using first = await serve(({ calls }, response) => {
      if (calls[0]!.method === 'getAddressBalance') send(response, '', 429, { 'Retry-After': '1' })
      else send(response, { jsonrpc: '2.0', id: calls[0]!.id, result: 'first' })
    })
    await using second = await serve(({ calls }, response) => send(response, { jsonrpc: '2.0', id: calls[0]!.id, result: 'second' }))
    const one = http({ url: first.url })
    const ton = createClient({ transport: fallback([one, http({ url: second.url })], { rank: false }), retry })
    expect(await ton.getMasterchainInfo()).toBe('first')
    expect(await ton.getAddressBalance({ address: 'a' })).toBe('second')
    expect(one.paused!()).toBeGreaterThan(0)
    expect(await ton.getMasterchainInfo()).toBe('second')
    expect(await ton.sendBoc({ boc: 'x' })).toBe('second')
    expect(await createClient({ transport: one }).getMasterchainInfo()).toBe('first')
    expect(one.paused!()).toBe(0)
  })

  it('closing a fallback closes each of its transports', () => {
    const closed: string[] = []
    const one = (name: string): Transport => ({ endpoint: name, send: async () => {}, close: () => closed.push(name) })
    createClient({ transport: fallback([one('a'), one('b')]) }).close()
    expect(closed).toEqual(['a', 'b'])
  })
})

describe('a transport of one’s own', () => {
  const failure: Failure = { kind: 'NETWORK', message: 'no', endpoint: 'mine' }
  const sending = (send: Transport['send']) => createClient({ transport: { endpoint: 'mine', send }, retry: false })

  it('a transport of one’s own gets the calls of a tick and delivers', async () => {
    let got: readonly Call[] = []
    const ton = sending(async (calls, _, deliver) => {
      got = calls
      for (const call of calls) {
        deliver(call, { result: call.method })
        deliver(call, { failure })
      }
    })
    expect(await Promise.all([ton.getMasterchainInfo(), ton.sendBoc({ boc: 'x' })])).toEqual(['getMasterchainInfo', 'sendBoc'])
    expect(got.map(({ write }) => write)).toEqual([false, true])
  })
  it('a transport that splits a single call is found out', async () => {
    const ton = sending(async (calls, _, deliver) => calls.forEach((call) => void deliver(call, { split: true })))
    expect(await failing(ton.getMasterchainInfo())).toMatchObject({ kind: 'PROTOCOL' })
    expect((await Promise.allSettled([ton.getMasterchainInfo(), ton.getConsensusBlock()])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ])
  })
  it('a transport that leaves a call out, or throws, is found out', async () => {
    expect(await failing(sending(async () => {}).getMasterchainInfo())).toMatchObject({ kind: 'PROTOCOL', endpoint: 'mine' })
    const thrown = new Error('broken')
    expect(await failing(sending(() => Promise.reject(thrown)).getMasterchainInfo())).toMatchObject({ kind: 'PROTOCOL', cause: thrown })
    const sync = sending(() => {
      throw thrown
    })
    expect(await failing(sync.getMasterchainInfo())).toMatchObject({ kind: 'PROTOCOL', cause: thrown })
  })
})
