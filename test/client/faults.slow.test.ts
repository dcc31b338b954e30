import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient, TonClientError } from '../../client/index.ts'
import { freePort } from '../kit/free-port.ts'
import { sleep } from '../kit/wait.ts'
import { type Answer, echo, failing, send, serve } from './servers.ts'

/* Servers that answer badly: every one ends in a typed error in bounded time, and nothing is left behind. */

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason)
}
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', onUnhandled)
})
afterEach(async () => {
  await sleep(5)
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

const KEY = 'secret-key-of-tests'
const options = { key: KEY, retry: { times: 2, base: 1 }, maxAnswerBytes: 1 << 20 } as const

/** The errors of a batch of two reads and of a lone read and a lone write, against this server. */
const errorsOf = async (answer: Answer, timeout?: number) => {
  await using server = await serve(answer)
  const ton = createClient({ url: server.url, ...options, timeout })
  const pair = await Promise.all([failing(ton.getAddressState({ address: 'a' })), failing(ton.getAddressBalance({ address: 'b' }))])
  const lone = await failing(ton.getMasterchainInfo())
  const before = server.seen.length
  const write = await failing(ton.sendBoc({ boc: 'x' }))
  // Whatever the fault, a write goes out once.
  expect(server.seen.length - before).toBe(1)
  const all = [...pair, lone, write]
  for (const error of all) {
    expect(error).toBeInstanceOf(TonClientError)
    expect(error.endpoint).toBe(`${server.url}/jsonRPC`)
    expect(`${error.stack}${JSON.stringify(error)}${String(error.cause)}`).not.toContain(KEY)
  }
  expect(pair.map(({ method }) => method)).toEqual(['getAddressState', 'getAddressBalance'])
  expect([lone.method, write.method]).toEqual(['getMasterchainInfo', 'sendBoc'])
  return { pair, lone, write, kinds: all.map(({ kind }) => kind), posts: before }
}
const four = (kind: string): string[] => [kind, kind, kind, kind]

describe('a server that answers', () => {
  it('HTML with status 200 is a PROTOCOL error', async () => {
    const { kinds } = await errorsOf((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      response.end('<html>welcome to the hotel network</html>')
    })
    expect(kinds).toEqual(four('PROTOCOL'))
  })

  it('HTML with status 502 means UNAVAILABLE', async () => {
    const { kinds, lone } = await errorsOf((_, response) => send(response, '<html>bad gateway</html>', 502))
    expect(kinds).toEqual(four('UNAVAILABLE'))
    expect(lone).toMatchObject({ status: 502, message: `getMasterchainInfo: HTTP status 502 of ${lone.endpoint}` })
  })

  it('truncated JSON is a PROTOCOL error', async () => {
    const { kinds } = await errorsOf((_, response) => send(response, '[{"jsonrpc":"2.0","id":1,"resu'))
    expect(kinds).toEqual(four('PROTOCOL'))
  })

  it.each([
    ['null'],
    ['1'],
    ['"text"'],
    ['{}'],
    ['[]'],
    ['[null,1,"x"]'],
    ['[[]]'],
    ['{"jsonrpc":"2.0"}'],
  ])('a server that answers %s gives the right error', async (text) => {
    const { kinds } = await errorsOf((_, response) => send(response, text))
    expect(kinds).toEqual(four('PROTOCOL'))
  })

  it('answers with wrong ids are not taken', async () => {
    const { kinds } = await errorsOf(({ body, calls }, response) => {
      const wrong = calls.map((call) => echo({ ...call, id: call.id + 1000 }))
      send(response, Array.isArray(body) ? wrong : wrong[0])
    })
    expect(kinds).toEqual(four('PROTOCOL'))
  })

  it('answers with null ids are not taken', async () => {
    const { kinds } = await errorsOf(({ body, calls }, response) => {
      const wrong = calls.map((call) => ({ ...(echo(call) as object), id: null }))
      send(response, Array.isArray(body) ? wrong : wrong[0])
    })
    expect(kinds).toEqual(four('PROTOCOL'))
  })

  it('an answer over a limit of 1 MiB is ANSWER_TOO_LARGE', async () => {
    const { kinds } = await errorsOf(({ calls }, response) =>
      send(response, [{ jsonrpc: '2.0', id: calls[0]!.id, result: 'x'.repeat(10 << 20) }]),
    )
    expect(kinds).toEqual(four('ANSWER_TOO_LARGE'))
  })

  it('an answer of 10 MB is accepted by default', async () => {
    await using server = await serve(({ calls }, response) =>
      send(response, { jsonrpc: '2.0', id: calls[0]!.id, result: 'x'.repeat(10_000_000) }),
    )
    expect(await failing(createClient({ url: server.url }).getMasterchainInfo())).toMatchObject({ kind: 'ANSWER_TOO_LARGE' })
  })

  it('an endless answer is cut off', async () => {
    const { kinds } = await errorsOf(async (_, response) => {
      response.writeHead(200)
      while (!response.destroyed) {
        response.write(' ')
        await sleep(20)
      }
    }, 300)
    expect(kinds).toEqual(four('TIMEOUT'))
  })

  it('a server that never answers is a TIMEOUT', async () => {
    const { kinds } = await errorsOf(() => {}, 300)
    expect(kinds).toEqual(four('TIMEOUT'))
  })

  it('a body that is cut off is a NETWORK failure', async () => {
    const { kinds, posts } = await errorsOf((_, response) => {
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('[{"jsonrpc":')
      setTimeout(() => response.destroy(), 5)
    })
    expect(kinds).toEqual(four('NETWORK'))
    // Three attempts of the pair, three of the lone read.
    expect(posts).toBe(6)
  })

  it('a socket that is dropped between request and answer is a NETWORK failure', async () => {
    const { kinds, posts, lone } = await errorsOf((_, response) => {
      response.destroy()
    })
    expect(kinds).toEqual(four('NETWORK'))
    expect(posts).toBe(6)
    expect(lone.cause).toBeInstanceOf(Error)
  })

  it('a redirect, which could carry the key elsewhere, is not followed', async () => {
    await using elsewhere = await serve((_, response) => send(response, '[]'))
    const { kinds } = await errorsOf((_, response) => send(response, '', 307, { Location: `${elsewhere.url}/jsonRPC` }))
    expect(kinds).toEqual(four('NETWORK'))
    expect(elsewhere.seen).toEqual([])
  })

  it('status 429 without Retry-After means RATE_LIMITED', async () => {
    const { kinds, lone, posts } = await errorsOf((_, response) =>
      send(response, { jsonrpc: '2.0', id: null, error: { code: -32029, message: 'slow down', data: { kind: 'RATE_LIMITED' } } }, 429),
    )
    expect(kinds).toEqual(four('RATE_LIMITED'))
    expect(posts).toBe(6)
    expect(lone).toMatchObject({ status: 429, retryAfterMs: undefined })
  })

  it('an error inside an answer with status 200 is about the whole request', async () => {
    const { kinds, lone } = await errorsOf((_, response) =>
      send(response, { jsonrpc: '2.0', id: null, error: { code: -32001, message: `no such key: ${KEY}`, data: { kind: 'UNAUTHORIZED' } } }),
    )
    expect(kinds).toEqual(four('UNAUTHORIZED'))
    expect(lone.message).toBe('getMasterchainInfo: no such key: ***')
  })

  it('errors inside an answer with status 200 are taken call by call', async () => {
    const { kinds, lone } = await errorsOf(({ body, calls }, response) => {
      const items = calls.map(({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32050, message: 'exit code 33', data: { kind: 'CHAIN' } },
      }))
      send(response, Array.isArray(body) ? items : items[0])
    })
    expect(kinds).toEqual(four('CHAIN'))
    expect(lone.message).toBe('getMasterchainInfo: exit code 33')
  })

  it('errors of other servers are understood', async () => {
    const codes: Record<string, object> = {
      getAddressState: { code: -32601, message: 'no' },
      getAddressBalance: { code: -32602, message: 'no', data: 'text' },
      getMasterchainInfo: { code: 429, message: 'no' },
      sendBoc: { code: -1, message: 'no' },
    }
    const { kinds } = await errorsOf(({ body, calls }, response) => {
      const items = calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, error: codes[method] }))
      send(response, Array.isArray(body) ? items : items[0])
    })
    expect(kinds).toEqual(['METHOD_NOT_FOUND', 'INVALID_PARAMS', 'RATE_LIMITED', 'INTERNAL'])
  })
})

describe('a batch of which', () => {
  const three = async (answer: Answer) => {
    await using server = await serve(answer)
    const ton = createClient({ url: server.url, ...options })
    return await Promise.all(
      ['a', 'b', 'c'].map(async (address) => {
        try {
          return ((await ton.getAddressBalance({ address })) as unknown as { params: { address: string } }).params.address
        } catch (error) {
          return (error as TonClientError).kind
        }
      }),
    )
  }
  it('a batch with too few answers fails only the calls without an answer', async () => {
    expect(await three(({ calls }, response) => send(response, calls.slice(1).map(echo)))).toEqual(['PROTOCOL', 'b', 'c'])
  })
  it('a batch with repeated answers is handled', async () => {
    expect(await three(({ calls }, response) => send(response, [...calls, { ...calls[1]!, method: 'other' }].map(echo)))).toEqual([
      'a',
      'PROTOCOL',
      'c',
    ])
  })
  it('the answers of a batch may come in another order', async () => {
    expect(await three(({ calls }, response) => send(response, calls.map(echo).reverse()))).toEqual(['a', 'b', 'c'])
  })
  it('a batch with too many answers is handled', async () => {
    expect(await three(({ calls }, response) => send(response, [null, ...calls.map(echo), { id: 'x' }]))).toEqual(['a', 'b', 'c'])
  })
  it('an answer of a batch with neither result nor error is a PROTOCOL error', async () => {
    expect(
      await three(({ calls }, response) => send(response, [{ jsonrpc: '2.0', id: calls[0]!.id }, ...calls.slice(1).map(echo)])),
    ).toEqual(['PROTOCOL', 'b', 'c'])
  })
  it('an answer of a batch may have a null result', async () => {
    await using server = await serve(({ calls }, response) =>
      send(
        response,
        calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: null })),
      ),
    )
    const ton = createClient({ url: server.url })
    expect(await Promise.all([ton.getMasterchainInfo(), ton.local.wallets()])).toEqual([null, null])
  })
})

describe('a fetch that', () => {
  it('a fetch that never settles and ignores its signal ends in time', async () => {
    const ton = createClient({ url: 'http://127.0.0.1:1', timeout: 50, fetch: () => new Promise(() => {}) })
    expect(await failing(ton.getMasterchainInfo())).toMatchObject({ kind: 'TIMEOUT' })
  })
  it('a fetch that rejects too late changes nothing', async () => {
    const late = async (): Promise<never> => {
      await sleep(100)
      throw new Error('too late')
    }
    const ton = createClient({ url: 'http://127.0.0.1:1', timeout: 30, fetch: late })
    expect(await failing(ton.getMasterchainInfo())).toMatchObject({ kind: 'TIMEOUT' })
    await sleep(120)
  })
  it('a fetch that throws at once is a NETWORK failure', async () => {
    const ton = createClient({
      url: 'http://127.0.0.1:1',
      retry: false,
      fetch: () => {
        throw new TypeError('no network')
      },
    })
    expect(await failing(ton.getMasterchainInfo())).toMatchObject({ kind: 'NETWORK', cause: { message: 'no network' } })
  })
  it('an error of fetch does not reveal the key', async () => {
    const ton = createClient({ url: 'http://127.0.0.1:1', key: KEY, retry: false, fetch: () => Promise.reject(new Error(`header ${KEY}`)) })
    const error = await failing(ton.getMasterchainInfo())
    expect(error.kind).toBe('NETWORK')
    expect(error.cause).toBeUndefined()
  })
  it('a fetch without streams works like any other', async () => {
    const body = { jsonrpc: '2.0', id: 1, result: 'x' }
    const ton = createClient({
      url: 'http://127.0.0.1:1',
      fetch: async () =>
        ({ status: 200, body: null, headers: new Headers(), text: async () => JSON.stringify(body) }) as unknown as Response,
    })
    expect(await ton.getMasterchainInfo()).toBe('x')
  })
})

describe('waiting for a message', () => {
  const message = { address: `0:${'00'.repeat(32)}`, hash: '00'.repeat(32), bodyHash: 'x' }
  it('waiting for a message ends in its own time, although the server never answers', async () => {
    await using server = await serve(() => {})
    const ton = createClient({ url: server.url, timeout: 60_000 })
    for (const what of [message, message.hash])
      expect(await failing(ton.waitForMessage(what as typeof message, { timeout: 50 }))).toMatchObject({
        kind: 'TIMEOUT',
        method: 'waitForMessage',
      })
    await expect.poll(() => server.sockets.size).toBe(0)
  })
  it('many waits with one signal leave no listener, warn of none and end together', async () => {
    await using server = await serve(({ calls }, response) => send(response, { jsonrpc: '2.0', id: calls[0]!.id, result: [] }))
    const ton = createClient({ url: server.url })
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const stop = new AbortController()
    const waits = Array.from({ length: 20 }, () => failing(ton.waitForMessage(message, { signal: stop.signal, timeout: Infinity })))
    await expect.poll(() => server.seen.length).toBeGreaterThan(2)
    stop.abort()
    expect((await Promise.all(waits)).map(({ kind }) => kind)).toEqual(waits.map(() => 'ABORTED'))
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
    expect(await failing(ton.waitForMessage(message, { signal: stop.signal }))).toMatchObject({ kind: 'ABORTED' })
    await sleep(5)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })
})

describe('where there is no server', () => {
  it('if there is no server, the error is NETWORK with its cause', async () => {
    const place = `127.0.0.1:${await freePort()}`
    const ton = createClient({ url: `http://${place}`, ...options })
    expect(await failing(ton.getMasterchainInfo())).toMatchObject({
      kind: 'NETWORK',
      method: 'getMasterchainInfo',
      message: expect.stringContaining(`ECONNREFUSED ${place}`),
    })
  })
  it('the stack of an error names the caller, alone or in a group', async () => {
    const ton = createClient({ url: 'http://127.0.0.1:1', retry: false })
    const loadBalance = async () => void (await ton.getAddressBalance({ address: 'a' }))
    const loadBoth = async () => void (await Promise.all([ton.getMasterchainInfo(), ton.getConsensusBlock()]))
    expect((await failing(loadBalance())).stack).toContain('loadBalance')
    expect((await failing(loadBoth())).stack).toContain('loadBoth')
  })
  it.each([
    ['nonsense'],
    [''],
    ['ftp://x'],
    ['http://user:pass@x'],
    [`nonsense?api_key=${KEY}`],
  ])('the URL %s is refused at once and not quoted', (url) => {
    expect(() => createClient({ url })).toThrow(TypeError)
    expect(() => createClient({ url })).toThrow('url must be http://… or ws://…, without a user')
    expect(() => createClient({ url })).not.toThrow(KEY)
  })
  it('an empty key is no key', async () => {
    await using server = await serve(({ calls, headers }, response) =>
      send(response, { jsonrpc: '2.0', id: calls[0]!.id, result: headers['x-api-key'] ?? 'none' }),
    )
    expect(await createClient({ url: server.url, key: '' }).getMasterchainInfo()).toBe('none')
  })
  it('a key that no header can carry is refused at once and not quoted', () => {
    expect(() => createClient({ url: 'http://x', key: `${KEY}\n` })).toThrow('key: not printable ASCII')
    expect(() => createClient({ url: 'http://x', key: `${KEY}\n` })).not.toThrow(KEY)
  })
})
