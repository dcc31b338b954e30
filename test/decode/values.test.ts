import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, CellError, EMPTY_CELL } from '../../server/cell/cell.ts'
import { bodiesOf } from '../../server/decode/bodies.ts'
import { messages as basicMessages } from '../../server/protocols/basic/messages.ts'
import { PROTOCOLS } from '../../server/protocols/index.ts'
import { messages } from '../../server/protocols/jettons/messages.ts'
import { stdAddress, storeAddressInt } from '../../server/tlb/address.ts'
import { projectFolder } from '../kit/project.ts'

const { load, loadIf } = bodiesOf(messages)
const basic = bodiesOf(basicMessages)

const someone = stdAddress(0, new Uint8Array(32).fill(7))
const comment = beginCell().storeUint(0, 32).storeBytes(Buffer.from('hi')).end()

const transfer = (payload: (b: ReturnType<typeof beginCell>) => ReturnType<typeof beginCell>) => {
  const b = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).storeCoins(500n)
  storeAddressInt(b, someone)
  storeAddressInt(b, undefined)
  return payload(b.storeMaybeRef(undefined).storeCoins(1n)).end()
}

describe('values of a body', () => {
  it('a jetton transfer has its numbers, addresses and payload', () => {
    const body = load(
      'internal jetton_transfer',
      transfer((b) => b.storeBit(1).storeRef(comment)),
    )
    expect(body['@type']).toBe('jetton_transfer')
    expect([body.query_id, body.amount, body.forward_ton_amount]).toEqual([7n, 500n, 1n])
    expect([body.destination, body.response_destination, body.custom_payload]).toEqual([`0:${'07'.repeat(32)}`, null, null])
    expect(body.forward_payload).toBe(comment)
    expect(basic.loadIf('internal text_comment', body.forward_payload)!.text).toBe('hi')
    expect(loadIf('internal jetton_transfer', body.forward_payload)).toBeUndefined()
  })

  it('a payload inline is a cell of what is left, and null if the body ends before it', () => {
    const payload = (body: Cell) => load('internal jetton_transfer', body).forward_payload
    expect(payload(transfer((b) => b.storeBit(0).storeSlice(comment.slice())))!.equals(comment)).toBe(true)
    expect(payload(transfer((b) => b.storeBit(0)))).toBe(EMPTY_CELL)
    expect(payload(transfer((b) => b))).toBeNull()
  })

  it('a field is read when it is asked for', () => {
    const short = load('internal jetton_transfer', beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).storeCoins(5n).end())
    expect(short.amount).toBe(5n)
    expect(() => short.destination).toThrow(CellError)
  })

  it('the fields of a record without a name are those of the body around it, and a type can have several constructors', () => {
    const bodies = bodiesOf(`
type Side b0 left
type Side b1 right  n u8
type Inner - inner  side Side, flags u8, more if flags.0 ^Inner
internal 00000009 outer  _ ^Inner, rest any
`)
    const inner = beginCell().storeBit(1).storeUint(3, 8).storeUint(2, 8).end()
    const { side, flags, more } = bodies.load('internal outer', beginCell().storeUint(9, 32).storeRef(inner).end())
    expect([side['@type'] === 'right' && side.n, flags, more]).toEqual([3, 2, undefined])
    expect(bodies.load('type Inner', inner).flags).toBe(2)
    expect(bodies.opcode('internal outer')).toBe(9)
    expect(() => bodies.opcode('internal inner')).toThrow('no body "internal inner"')
  })

  it('a list of a thousand actions is read without going deeper than the stack', () => {
    let list = EMPTY_CELL
    for (let i = 0; i < 1000; i++)
      list = beginCell().storeRef(list).storeUint(0x36e6b809, 32).storeUint(0, 8).storeCoins(1n).storeBit(0).end()
    const bodies = bodiesOf(`
type OutAction x36e6b809 action_reserve_currency  mode u8, amount coins
internal 00000009 listed  actions ^OutActions
`)
    expect(bodies.load('internal listed', beginCell().storeUint(9, 32).storeRef(list).end()).actions).toHaveLength(1000)
  })
})

it('what code loads is the line from which its types come, also where bodies of several kinds have one name', () => {
  const folder = join(projectFolder, 'server/protocols')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const loaded = files.flatMap((file) => [
    ...readFileSync(join(folder, file), 'utf8').matchAll(/oad(?:If)?\('(internal|external|forward|event) (\w+)'/g),
  ])
  expect(loaded.length).toBeGreaterThan(70)
  for (const [, kind, name] of loaded) {
    const { messages } = PROTOCOLS.find((protocol) => new RegExp(`^${kind} \\w+ ${name}  `, 'm').test(protocol.messages ?? ''))!
    // How typed.ts finds a line: TypeScript takes the shortest text for each part.
    const [found] = new RegExp(`\n${kind} [^]*? ${name}  `).exec(messages!)!
    expect(found.slice(found.lastIndexOf('\n') + 1)).toMatch(new RegExp(`^${kind} `))
  }
})
