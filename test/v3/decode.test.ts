import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { manyLeaves } from '../kit/decode/many-leaves.ts'
import { type Answer, ask, post } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'

/* GET and POST /api/v3/decode as they stand on the wire. It needs neither the index nor the chain. */

let tonway: Tonway
beforeAll(async () => {
  tonway = await startTonway({ blockTime: 0 })
})
afterAll(() => tonway?.close())

const boc = (cell: Cell): Buffer => Buffer.from(serializeBoc(cell))
const base64 = (cell: Cell): string => boc(cell).toString('base64')
const comment = (text: string): Cell => beginCell().storeUint(0, 32).storeBytes(Buffer.from(text)).end()

interface Decoded {
  readonly opcodes: string[]
  readonly bodies: Record<string, unknown>[]
  readonly error?: string
  readonly code?: number
}
const get = (query: readonly (readonly [string, string])[]): Promise<Answer<Decoded>> =>
  ask(`${tonway.url}/api/v3/decode?${new URLSearchParams(query as [string, string][])}`)
const decode = (body: unknown): Promise<Answer<Decoded>> => post(`${tonway.url}/api/v3/decode`, body)

describe('v3.decode', () => {
  it('64 small bodies with megabytes of JSON each: those beyond 16 million characters are refused by name', async () => {
    const { status, body } = await decode({ bodies: Array.from({ length: 64 }, (_, i) => base64(manyLeaves(i))) })
    expect(status).toBe(200)
    expect(body.bodies[0]).toMatchObject({ '@type': 'jvault_claim_rewards_msg' })
    expect(body.bodies.at(-1)).toEqual({ error: 'unknown: the decoded bodies have more than 16777216 characters: ask for fewer' })
    expect(JSON.stringify(body).length).toBeLessThan(17_000_000)
  })

  it('v3.decode answers opcodes and bodies in the order of the request', async () => {
    const asked = { opcodes: ['0x0f8a7ea5', '1', 'dead'], bodies: ['zz', base64(comment('hi')), boc(comment('hex')).toString('hex')] }
    const { status, body } = await decode(asked)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        opcodes: ['jetton_transfer', 'evaa_supply_master', 'unknown'],
        bodies: [
          { error: 'unknown: failed to decode hex: a character that is no hex digit' },
          { '@type': 'text_comment', text: 'hi' },
          { '@type': 'text_comment', text: 'hex' },
        ],
      },
    })
    expect((await get(Object.entries(asked).flatMap(([name, list]) => list.map((one) => [name, one] as const)))).body).toEqual(body)
  })

  it('v3.decode reads opcodes in every spelling: hex first, then decimal, then signed', async () => {
    const spellings = ['0x0f8a7ea5', 'f8a7ea5', '0F8A7EA5', '0X0f8a7ea5', '260734629', '-718113061', '3576854235', '0xd53276db', '00000000']
    expect((await decode({ opcodes: spellings })).body.opcodes).toEqual([
      ...['jetton_transfer', 'jetton_transfer', 'jetton_transfer', 'jetton_transfer', 'jetton_transfer'],
      ...['excess', 'excess', 'excess', 'text_comment'],
    ])
  })

  it.each([
    '0xzz',
    '',
    '0x',
    '99999999999',
    '-2147483649',
    '1 ',
    '1,2',
    '☃',
    'x'.repeat(300),
  ])('v3.decode refuses "%s" as an opcode', async (text) => {
    const { status, body } = await decode({ opcodes: ['0', text] })
    expect(status).toBe(422)
    expect(body).toEqual({ error: `invalid opcode format at index 1: ${text.replace(/^0x/, '').slice(0, 100)}`, code: 422 })
  })

  it('v3.decode writes keys in alphabetical order, and a comment by the name of its field', async () => {
    const body = beginCell()
      .storeUint(0x595f07bc, 32)
      .storeUint(7, 64)
      .storeCoins(5n)
      .storeUint(0, 2)
      .storeBit(1)
      .storeRef(comment('x'))
      .end()
    const { text } = await decode({ bodies: [base64(body)] })
    expect(text).toBe(
      '{"opcodes":[],"bodies":[{"@type":"jetton_burn","amount":{"@type":"var_uint","len":"1","value":"5"},' +
        '"custom_payload":{"@type":"something_from_maybe","value":{"@type":"text_comment","text":"x"}},"query_id":"7",' +
        '"response_destination":{"@type":"addr_none"}}]}',
    )
  })

  it('v3.decode of nothing is empty', async () => {
    const nothing = { opcodes: [], bodies: [] }
    expect((await get([])).body).toEqual(nothing)
    expect((await decode({})).body).toEqual(nothing)
    expect((await decode(nothing)).body).toEqual(nothing)
  })

  it('v3.decode says why a body cannot be decoded, and decodes the others', async () => {
    const library = beginCell().storeUint(2, 8).storeBytes(EMPTY_CELL.hash()).endExotic()
    const two = Buffer.from('b5ee9c72010102020004000100000000', 'hex')
    const bodies = ['', 'f', 'te6', 'te6c_-==', 'b5ee9c72', two.toString('hex'), base64(library), base64(EMPTY_CELL)]
    const short = base64(beginCell().storeUint(1, 31).end())
    const unread = base64(beginCell().storeUint(0x0f8a7ea5, 32).end())
    const invalid = base64(beginCell().storeUint(0, 32).storeUint(0xff, 8).end())
    const { status, body } = await decode({ bodies: [...bodies, short, unread, invalid, base64(comment('last'))] })
    expect(status).toBe(200)
    expect(body.bodies.slice(0, 7).map(({ error }) => (error as string).split(':').slice(0, 2).join(':'))).toEqual([
      'unknown: failed to deserialize boc',
      ...['unknown: failed to decode hex', 'unknown: failed to decode base64', 'unknown: failed to decode base64'],
      ...['unknown: failed to deserialize boc', 'unknown: failed to deserialize boc', 'unknown: the body is an exotic cell'],
    ])
    expect(body.bodies.slice(7)).toEqual([
      { '@type': 'empty_cell' },
      { error: 'unknown: boc is too small, size 31' },
      { error: 'unknown: no parser succeeded' },
      { error: 'unknown: no parser succeeded' },
      { '@type': 'text_comment', text: 'last' },
    ])
  })

  it('v3.decode takes 1,000 of each, and refuses one more', async () => {
    const full = { opcodes: Array(1000).fill('0'), bodies: Array(1000).fill(base64(comment('x'))) }
    const { status, body } = await decode(full)
    expect([status, body.opcodes.length, body.bodies.length]).toEqual([200, 1000, 1000])
    for (const name of ['opcodes', 'bodies'] as const) {
      const over = await decode({ ...full, [name]: [...full[name], '0'] })
      expect([over.status, over.body.error]).toEqual([422, `${name} list exceeds maximum length of 1000`])
    }
  })

  it('v3.decode refuses lists of anything but texts', async () => {
    for (const wrong of [7, {}, [7], [null], [['0']]]) expect((await decode({ opcodes: wrong })).status).toBe(422)
    expect((await decode({ bodies: [true] })).body.error).toContain('error converting value for index 0 of "bodies"')
  })

  it('a comment of 100 KB with NUL comes back whole', async () => {
    const text = `\u0000${'long '.repeat(20_000)}`
    let next: Cell | undefined
    const bytes = Buffer.from(text)
    for (let at = Math.ceil(bytes.length / 120) - 1; at >= 0; at--) {
      const b: Builder = beginCell()
      if (at === 0) b.storeUint(0, 32)
      b.storeBytes(bytes.subarray(at * 120, at * 120 + 120))
      if (next) b.storeRef(next)
      next = b.end()
    }
    expect((await decode({ bodies: [base64(next!)] })).body.bodies).toEqual([{ '@type': 'text_comment', text }])
  })

  it('costly bodies end in time, and others are answered meanwhile', async () => {
    let bomb = EMPTY_CELL
    for (let i = 0; i < 100; i++) bomb = beginCell().storeUint(0x2508d66a, 32).storeUint(0, 64).storeRef(bomb).storeRef(bomb).end()
    const body = base64(bomb)
    const heavy = decode({ bodies: Array(40).fill(body) })
    const light = await decode({ opcodes: ['0'] })
    expect(light.body.opcodes).toEqual(['text_comment'])
    const { status, body: answer } = await heavy
    expect([status, answer.error, answer.bodies?.length]).toEqual([200, undefined, 40])
    expect(answer.bodies[0]).toEqual({ error: 'unknown: no parser succeeded' })
    // One answer reads so many cells in all.
    expect(answer.bodies.at(-1)).toEqual({ error: 'unknown: the answer has too many bodies' })
  })

  it('v3.decode answers over JSON-RPC, in batches too', async () => {
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'v3.decode', params: { opcodes: ['0xf8a7ea5'] } })
    const response = await post(`${tonway.url}/jsonRPC`, [call(1), call(2)])
    expect(response.body).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: { opcodes: ['jetton_transfer'], bodies: [] } })))
  })
})

describe('inspectBody', () => {
  const inspect = async (cell: Cell) =>
    (await post<{ result: Record<string, unknown> }>(`${tonway.url}/api/v2/inspectBody`, { body: base64(cell) })).body.result
  const owner = new Uint8Array(32).fill(7)
  const address = (builder: Builder): Builder => builder.storeUint(0b100, 3).storeInt(0, 8).storeBytes(owner)

  it('inspectBody tells the amount of a mint, which stands after the last field that v3 knows', async () => {
    // internal_transfer#178d4519 query_id:uint64 amount:Coins from:MsgAddress response_address:MsgAddress forward_ton_amount:Coins forward_payload:(Either Cell ^Cell)
    const inner = beginCell().storeUint(0x178d4519, 32).storeUint(0, 64).storeCoins(123_456n).storeUint(0, 4).storeCoins(0n).storeUint(0, 1)
    const mint = address(beginCell().storeUint(0x642b7d07, 32).storeUint(5, 64)).storeCoins(10n).storeRef(inner.end()).storeUint(3, 2)
    const { decoded, left_bits, left } = await inspect(mint.end())
    expect([decoded, left_bits]).toEqual([expect.objectContaining({ '@type': 'jetton_mint', query_id: '5' }), 2])
    expect(left).toEqual([
      {
        hash: Buffer.from(inner.end().hashHex(), 'hex').toString('base64'),
        boc: base64(inner.end()),
        decoded: expect.objectContaining({ '@type': 'jetton_internal_transfer', amount: expect.objectContaining({ value: '123456' }) }),
      },
    ])
  })

  it('inspectBody leaves nothing of a comment, however long, and all of a body that nothing fits', async () => {
    expect(await inspect(comment('hi'))).toEqual({ decoded: { '@type': 'text_comment', text: 'hi' }, left_bits: 0, left: [] })
    const tail = beginCell().storeBytes(Buffer.from('and on')).end()
    const long = beginCell().storeUint(0, 32).storeBytes(Buffer.from('on ')).storeRef(tail).end()
    expect(await inspect(long)).toEqual({ decoded: { '@type': 'text_comment', text: 'on and on' }, left_bits: 0, left: [] })
    const unknown = beginCell().storeUint(0x99999999, 32).storeRef(comment('inside')).end()
    expect(await inspect(unknown)).toMatchObject({ decoded: null, left_bits: 32, left: [{ decoded: { text: 'inside' } }] })
    expect(await inspect(EMPTY_CELL)).toEqual({ decoded: null, left_bits: 0, left: [] })
  })

  it('inspectBody refuses what is no BoC, with the reason', async () => {
    const { status, body } = await post<{ error: string }>(`${tonway.url}/api/v2/inspectBody`, { body: 'AAAA' })
    expect([status, body.error]).toEqual([422, expect.stringMatching(/failed to parse body/)])
  })
})
