import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { type MethodName, methodNames, registry } from '../../shared/registry.ts'
import { fc } from '../kit/property.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'

/* Whatever is sent to the real service: an answer in JSON, never a fault of ours, and the service goes on. */

let tonway: Tonway
/** What the service logged as its own faults. */
const faults: unknown[] = []
let wallet: string
beforeAll(async () => {
  tonway = await startTonway({ blockTime: 0, logger: { ...silentLog, error: (event, fields) => faults.push([event, fields]) } })
  const { wallets } = await (await send('/jsonRPC', '{"jsonrpc":"2.0","id":1,"method":"local.wallets"}')).json().then((body) => body.result)
  wallet = wallets[0].address
  await (await send('/jsonRPC', '{"jsonrpc":"2.0","id":1,"method":"local.mine","params":{"count":4}}')).json()
})
afterAll(() => tonway?.close())

const send = (path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(`${tonway.url}${path}`, { method: 'POST', body })

const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0='
const seeds = [
  ...[
    `0:${'00'.repeat(32)}`,
    `-1:${'55'.repeat(32)}`,
    `-1:${'33'.repeat(32)}`,
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    'ab'.repeat(32),
  ],
  ...[
    EMPTY_CELL,
    'te6cckEBAQEAAgAAAA==',
    'AAAA',
    '',
    '!',
    '-9223372036854775808',
    '9223372036854775807',
    '-170141183460469231731687303715884105728',
  ],
  ...[0, 1, 2, 3, 5, -1, 2 ** 31, 2 ** 53, 1e300, 0.5, 4_000_000, 1_000_000, true, false, null, 'seqno', 85143, 'true', '0x10', '1e3'],
  ...[
    [],
    {},
    [['num', '1']],
    [['tvm.Cell', EMPTY_CELL]],
    [['tuple', { '@type': 'tvm.tuple', elements: [] }]],
    [[['num']]],
    [['tvm.Slice', 'x']],
  ],
  ...[
    [{ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '5' } }],
    { __proto__: 1 },
    { bytes: EMPTY_CELL },
  ],
]
const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...seeds) },
  { weight: 1, arbitrary: fc.constant('WALLET') },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** A call of a method with members of its own, mostly, each with any value. Controls that move time or take long are left to their own tests. */
const callable = methodNames.filter((name) => !['local.mine', 'local.setTime', 'local.increaseTime'].includes(name))
const call = fc.constantFrom(...callable).chain((method: MethodName) => {
  const names = Object.keys(registry[method].params.shape)
  const member =
    names.length > 0 ? fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() }) : fc.string()
  return fc.record({ method: fc.constant(method), params: fc.dictionary(member, value, { maxKeys: 6, noNullPrototype: true }) })
})
const filled = (params: object): object => JSON.parse(JSON.stringify(params).replaceAll('"WALLET"', JSON.stringify(wallet)))

describe('whatever is sent', () => {
  it('random parameters of any method get an answer, and never an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 40, maxLength: 40 }), async (calls) => {
        const answer = await send(
          '/jsonRPC',
          JSON.stringify(calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params: filled(params) }))),
        )
        const replies = (await answer.json()) as { id: number; error?: { code: number; message: string } }[]
        expect(replies.map((reply) => reply.id)).toEqual(calls.map((_, id) => id))
        const internal = replies.filter((reply) => reply.error?.code === -32603).map((reply) => calls[reply.id])
        expect({ internal, faults }).toEqual({ internal: [], faults: [] })
      }),
      { numRuns: 60 },
    )
  }, 120_000)

  it('a random query string is answered in JSON', async () => {
    const gets = callable.filter((name) => registry[name].rest.includes('GET'))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...gets),
        fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 4 }),
        fc.string(),
        async (name, pairs, tail) => {
          const query = pairs
            .map(
              ([key, text]) =>
                `${encodeURIComponent(key.replace(/\p{Surrogate}/gu, '?'))}=${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))}`,
            )
            .join('&')
          const url = new URL(`${tonway.url}/api/v2/${name}`)
          url.search = `${query}&${tail.replace(/\p{Surrogate}/gu, '?')}`
          const answer = await fetch(url)
          expect(await answer.json()).toHaveProperty('ok')
          expect([200, 422, 500, 404, 409]).toContain(answer.status)
          expect(faults).toEqual([])
        },
      ),
      { numRuns: 150 },
    )
  })

  it('a random body, bytes or JSON, is answered in JSON', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
      fc.json({ maxDepth: 4 }),
      fc.json().map((text) => text.slice(0, -1)),
      fc.jsonValue().map((method) => JSON.stringify({ jsonrpc: '2.0', id: method, method, params: method })),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/jsonRPC', '/api/v2/jsonRPC', '/api/v2/getTransactions', '/api/v2/sendBoc'),
        body,
        async (path, bytes) => {
          const answer = await send(path, bytes)
          const text = await answer.text()
          if (answer.status !== 204) expect(JSON.parse(text)).toBeTypeOf('object')
          expect([200, 204, 404, 422]).toContain(answer.status)
          expect(faults).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })
})
