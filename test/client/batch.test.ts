import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../client/index.ts'
import { sleep } from '../kit/wait.ts'
import { answerEcho, failing, type Rpc, send, serve, type TestServer } from './servers.ts'

let server: TestServer
beforeAll(async () => {
  server = await serve(answerEcho)
})
afterAll(() => server.close())
beforeEach(() => {
  server.seen.length = 0
})

const address = (i: number): string => `0:${i.toString(16).padStart(64, '0')}`
const sizes = (): number[] => server.seen.map(({ calls }) => calls.length)

describe('batching', () => {
  it('batching sends the calls of one tick, promise chains included, as one POST', async () => {
    const ton = createClient({ url: server.url })
    const later = Promise.resolve()
      .then(() => {})
      .then(() => ton.getAddressBalance({ address: address(3) }))
    const answers = await Promise.all([
      ton.getMasterchainInfo(),
      ton.local.wallets(),
      ton.getAddressBalance({ address: address(1) }),
      later,
    ])
    expect(sizes()).toEqual([4])
    expect(answers).toEqual([
      { method: 'getMasterchainInfo', params: {} },
      { method: 'local.wallets', params: {} },
      { method: 'getAddressBalance', params: { address: address(1) } },
      { method: 'getAddressBalance', params: { address: address(3) } },
    ])
    expect(server.seen[0]).toMatchObject({ path: '/jsonRPC', headers: { 'content-type': 'application/json' } })
  })

  it('a single call is sent as an object', async () => {
    const ton = createClient({ url: server.url })
    await ton.getMasterchainInfo()
    expect(server.seen[0]!.body).toEqual({ jsonrpc: '2.0', id: 1, method: 'getMasterchainInfo', params: {} })
  })

  it('a batch is split by the number of its calls', async () => {
    const ton = createClient({ url: server.url, batch: { count: 10 } })
    const balances = await Promise.all(Array.from({ length: 25 }, (_, i) => ton.getAddressBalance({ address: address(i) })))
    expect(sizes().sort((a, b) => b - a)).toEqual([10, 10, 5])
    expect(balances.map((balance) => (balance as unknown as Rpc).params['address'])).toEqual(
      Array.from({ length: 25 }, (_, i) => address(i)),
    )
  })

  it('a batch is split by bytes of UTF-8, and a longer call is sent alone', async () => {
    const ton = createClient({ url: server.url, batch: { bytes: 1000 } })
    const name = (length: number, i: number) => ton.dnsResolve({ address: address(i), name: 'я'.repeat(length) })
    await Promise.all([name(100, 1), name(100, 2), name(100, 3), name(2000, 4), name(1, 5)])
    for (const { text, calls } of server.seen) expect(Buffer.byteLength(text) <= 1002 || calls.length === 1).toBe(true)
    expect(sizes()).toEqual([2, 1, 1, 1])
  })

  it('batching waits as long as it is told', async () => {
    const ton = createClient({ url: server.url, batch: { wait: 50 } })
    const first = ton.getAddressBalance({ address: address(1) })
    await sleep(10)
    await Promise.all([first, ton.getAddressBalance({ address: address(2) })])
    expect(sizes()).toEqual([2])
  })

  it('batching can be switched off', async () => {
    const ton = createClient({ url: server.url, batch: false })
    await Promise.all([1, 2, 3].map((i) => ton.getAddressBalance({ address: address(i) })))
    expect(server.seen.map(({ body }) => Array.isArray(body))).toEqual([false, false, false])
  })

  it('an explicit batch is sent at once and separately, and never rejects', async () => {
    const ton = createClient({ url: server.url })
    const beside = ton.getAddressState({ address: address(1) })
    const results = await ton.batch([{ method: 'getAddressState', params: { address: address(1) } }, { method: 'getMasterchainInfo' }])
    await beside
    expect(sizes().sort()).toEqual([1, 2])
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    expect(await ton.batch([])).toEqual([])
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    expect(await ton.batch([{ method: 'getMasterchainInfo' }, { method: 'getAddressState', params: circular as never }])).toMatchObject([
      { ok: true },
      { ok: false, error: { kind: 'INVALID_PARAMS', method: 'getAddressState' } },
    ])
  })

  it('bigints are sent as decimal texts', async () => {
    const ton = createClient({ url: server.url })
    await ton.lookupBlock({ workchain: -1, shard: -(2n ** 63n), lt: 2n ** 60n })
    expect(server.seen[0]!.calls[0]!.params).toEqual({ workchain: -1, shard: '-9223372036854775808', lt: '1152921504606846976' })
  })

  it('one failed call of a batch makes no other fail', async () => {
    await using picky = await serve(({ calls }, response) =>
      send(
        response,
        calls.map(({ id, params }) =>
          params['address'] === address(2)
            ? {
                jsonrpc: '2.0',
                id,
                error: { code: -32602, message: 'bad', data: { kind: 'INVALID_PARAMS', issues: [{ param: 'address', message: 'bad' }] } },
              }
            : { jsonrpc: '2.0', id, result: String(params['address']) },
        ),
      ),
    )
    const ton = createClient({ url: picky.url })
    const [one, two, three] = await Promise.allSettled([1, 2, 3].map((i) => ton.getAddressBalance({ address: address(i) })))
    expect([one, three]).toEqual([
      { status: 'fulfilled', value: address(1) },
      { status: 'fulfilled', value: address(3) },
    ])
    expect(two).toMatchObject({ status: 'rejected', reason: { kind: 'INVALID_PARAMS', issues: [{ param: 'address' }] } })
    expect(picky.seen.length).toBe(1)
  })

  it('reads whose answers are too large only together are asked again one by one', async () => {
    // This one answers an array in full, and leaves the last call of it out as tonway does beyond 16 MiB.
    await using wordy = await serve(({ body, calls }, response) => {
      const answers = calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method.padEnd(700, '.') }))
      const crowded = { error: { code: -32013, message: 'left out', data: { kind: 'TOO_LARGE' } } }
      const last = { jsonrpc: '2.0', id: calls.at(-1)!.id, ...crowded }
      send(response, Array.isArray(body) ? [...answers.slice(0, -1), last] : answers[0])
    })
    const ton = createClient({ url: wordy.url, maxAnswerBytes: 1_000 })
    const sent = () => wordy.seen.splice(0).map(({ calls }) => calls.map(({ method }) => method).join())
    await Promise.all([ton.getMasterchainInfo(), ton.getConsensusBlock()])
    expect(sent()).toEqual(['getMasterchainInfo,getConsensusBlock', 'getConsensusBlock'])

    // A write is never sent again.
    const mined = failing(ton.local.mine())
    await Promise.all([ton.getMasterchainInfo(), ton.getConsensusBlock(), ton.getOutMsgQueueSize()])
    expect(await mined).toMatchObject({ kind: 'ANSWER_TOO_LARGE' })
    expect(sent().sort()).toEqual([
      'getConsensusBlock',
      'getMasterchainInfo',
      'getOutMsgQueueSize',
      'local.mine,getMasterchainInfo,getConsensusBlock,getOutMsgQueueSize',
    ])
  })

  it('the client is not thenable, can be printed, and its members are stable', async () => {
    const ton = createClient({ url: server.url })
    expect(await Promise.resolve(ton)).toBe(ton)
    expect(await Promise.resolve(ton.local)).toBe(ton.local)
    expect(ton.getShards).toBe(ton.getShards)
    expect(ton.local.mine).toBe(ton.local.mine)
    expect(String(ton)).toBe('[object Object]')
    expect(JSON.stringify({ ton })).toBe('{"ton":{}}')
    expect(server.seen).toEqual([])
  })
})

describe('identical reads', () => {
  it('identical reads are sent once while one is running, and again afterwards', async () => {
    const ton = createClient({ url: server.url })
    const read = () => ton.getAddressBalance({ address: address(7) })
    const [a, b] = await Promise.all([read(), read(), ton.getAddressState({ address: address(7) })])
    expect(a).toBe(b)
    expect(sizes()).toEqual([2])
    await read()
    expect(sizes()).toEqual([2, 1])
  })

  it('identical writes are each sent', async () => {
    const ton = createClient({ url: server.url })
    await Promise.all([ton.sendBoc({ boc: 'x' }), ton.sendBoc({ boc: 'x' }), ton.local.mine(), ton.local.mine()])
    expect(server.seen.flatMap(({ calls }) => calls).length).toBe(4)
  })

  it('a caller who aborts does not take the answer from the others', async () => {
    const ton = createClient({ url: server.url })
    const stop = new AbortController()
    const left = ton.getAddressBalance({ address: address(8) }, { signal: stop.signal })
    const stays = ton.getAddressBalance({ address: address(8) })
    stop.abort()
    expect(await failing(left)).toMatchObject({ kind: 'ABORTED', method: 'getAddressBalance' })
    expect(await stays).toMatchObject({ params: { address: address(8) } })
    expect(server.seen.length).toBe(1)
  })

  it('after all callers have aborted, the next one asks again', async () => {
    const ton = createClient({ url: server.url })
    const stop = new AbortController()
    const left = failing(ton.getAddressBalance({ address: address(9) }, { signal: stop.signal }))
    stop.abort()
    const again = ton.getAddressBalance({ address: address(9) })
    expect((await left).kind).toBe('ABORTED')
    expect(await again).toMatchObject({ params: { address: address(9) } })
    expect(server.seen.flatMap(({ calls }) => calls).length).toBe(1)
  })
})

describe('giving up', () => {
  it('aborting neither splits nor cancels the batch until its last call is aborted', async () => {
    let closed = 0
    await using slow = await serve(async ({ calls }, response) => {
      response.on('close', () => {
        if (!response.writableFinished) closed++
      })
      await sleep(300)
      send(
        response,
        calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: 'late' })),
      )
    })
    const ton = createClient({ url: slow.url })
    const stops = Array.from({ length: 3 }, () => new AbortController())
    const first = stops.map(({ signal }, i) => ton.getAddressBalance({ address: address(i) }, { signal }))
    const errors = Promise.all([failing(first[0]!), failing(first[1]!)])
    await sleep(100)
    stops[0]!.abort()
    stops[1]!.abort(new Error('enough'))
    expect(await errors).toMatchObject([{ kind: 'ABORTED' }, { kind: 'ABORTED', cause: { message: 'enough' } }])
    expect(await first[2]).toBe('late')
    expect([slow.seen.length, closed]).toEqual([1, 0])

    const second = stops.map(() => new AbortController())
    const calls = second.map(({ signal }, i) => failing(ton.getAddressBalance({ address: address(i) }, { signal })))
    await sleep(100)
    for (const stop of second) stop.abort()
    expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(['ABORTED', 'ABORTED', 'ABORTED'])
    await expect.poll(() => closed).toBe(1)
  })

  it('a call that is aborted before the tick ends is not sent', async () => {
    const ton = createClient({ url: server.url })
    const stop = new AbortController()
    const call = failing(ton.getAddressBalance({ address: address(1) }, { signal: stop.signal }))
    stop.abort()
    expect(await call).toMatchObject({ kind: 'ABORTED', endpoint: `${server.url}/jsonRPC` })
    expect(await failing(ton.getMasterchainInfo({}, { signal: stop.signal }))).toMatchObject({ kind: 'ABORTED' })
    expect(await ton.batch([{ method: 'getMasterchainInfo' }], { signal: stop.signal })).toMatchObject([
      { ok: false, error: { kind: 'ABORTED' } },
    ])
    await sleep(20)
    expect(server.seen).toEqual([])
  })

  it('an aborted AbortSignal.timeout gives a TIMEOUT', async () => {
    await using never = await serve(() => {})
    const ton = createClient({ url: never.url })
    expect(await failing(ton.getMasterchainInfo({}, { signal: AbortSignal.timeout(50) }))).toMatchObject({ kind: 'TIMEOUT' })
  })
})
