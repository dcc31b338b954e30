import { describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { serializeBoc } from '../../server/cell/boc.ts'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { answerBudget } from '../../server/decode/decode.ts'
import { inspectBody, rows, showBody, showInList } from '../../server/protocols/index.ts'
import { decodeHandlers } from '../../server/v3/decode.ts'
import { wideTree } from '../kit/bombs.ts'
import { manyLeaves } from '../kit/decode/many-leaves.ts'
import { createRandom } from '../kit/random.ts'
import { countTurns, threadTime } from '../kit/turns.ts'
import { bodyMaker } from './arbitrary.ts'
import { bodyOf, vectors } from './vectors.ts'

/** A snake of bytes under a tag of 32 zero bits. */
const comment = (bytes: Uint8Array): Cell => {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += 123) chunks.push(bytes.subarray(at, at + 123))
  let next: Cell | undefined
  for (let i = chunks.length - 1; i >= 0; i--) {
    const b = beginCell()
    if (i === 0) b.storeUint(0, 32)
    b.storeBytes(chunks[i]!)
    if (next) b.storeRef(next)
    next = b.end()
  }
  return next!
}
const library = beginCell().storeUint(2, 8).storeBytes(EMPTY_CELL.hash()).endExotic()

const shownOf = (cell: Cell): unknown => {
  const result = showBody(cell)
  return 'unknown' in result ? result.unknown : result.shown
}

const { signal } = new AbortController()

describe('bodies that are not what they seem', () => {
  it('an empty cell, a short one and an exotic one are told apart', () => {
    expect(shownOf(EMPTY_CELL)).toEqual({ '@type': 'empty_cell' })
    expect(shownOf(beginCell().storeUint(1, 31).end())).toBe('boc is too small, size 31')
    expect(shownOf(beginCell().storeRef(EMPTY_CELL).end())).toBe('boc is too small, size 0')
    expect(shownOf(library)).toBe('the body is an exotic cell')
    expect(shownOf(beginCell().storeUint(0x12345678, 32).end())).toBe('no parser succeeded')
  })

  it('a comment of 100 KB comes whole, with every character that JSON has to escape', () => {
    const text = `${'abcdefgh"\\\n\u0000\u007fäöü世界'.repeat(4000)}.`
    expect(shownOf(comment(Buffer.from(text)))).toEqual({ '@type': 'text_comment', text })
    expect(showInList(comment(Buffer.from(text)))).toEqual({ type: 'text_comment', '@type': 'text_comment', comment: text })
  })

  it('a comment that is no UTF-8 is not decoded, and no other constructor takes it', () => {
    expect(shownOf(comment(Uint8Array.from([0x61, 0xff, 0xfe])))).toBe('no parser succeeded')
    expect(shownOf(comment(Uint8Array.from([0xe4, 0xb8])))).toBe('no parser succeeded')
    expect(showInList(comment(Uint8Array.from([0xff])))).toBeNull()
  })

  it('a comment in several references, or with an exotic cell in its chain, is not decoded', () => {
    const wrong = beginCell().storeUint(0xff, 8).end()
    expect(shownOf(beginCell().storeUint(0, 32).storeRef(wrong).storeRef(wrong).end())).toBe('no parser succeeded')
    expect(shownOf(beginCell().storeUint(0, 32).storeUint(65, 8).storeRef(library).end())).toBe('no parser succeeded')
  })

  it('bits behind the last whole byte of a text are filled up with zeros', () => {
    expect(shownOf(beginCell().storeUint(0, 32).storeUint(0x61, 8).storeUint(1, 2).end())).toEqual({ '@type': 'text_comment', text: 'a@' })
  })

  it('an exotic cell behind a payload stays itself', () => {
    const upgrade = beginCell().storeUint(0x2508d66a, 32).storeUint(0, 64).storeRef(library).storeRef(EMPTY_CELL).end()
    expect(shownOf(upgrade)).toMatchObject({ new_data: expect.stringMatching(/^te6/), new_code: { '@type': 'empty_cell' } })
  })

  it('bodies within bodies are decoded 10 deep', () => {
    let cell = beginCell().storeUint(0, 32).storeBytes(Buffer.from('deep')).end()
    for (let i = 0; i < 15; i++) cell = beginCell().storeUint(0xc0ffee36, 32).storeUint(i, 64).storeRef(cell).end()
    let shown = shownOf(cell) as Record<string, unknown>
    for (let i = 0; i < 10; i++) shown = shown['body'] as Record<string, unknown>
    expect(shown['@type']).toBe('coffee_notification')
    expect(shown['body']).toMatch(/^te6/)
  })
})

describe('bodies made to cost much', () => {
  /** A body whose cells spell far more than they are: each level holds the level below twice. */
  const doubled = (levels: number, leaf: Cell, node: (b: Builder, below: Cell) => Builder): Cell => {
    let cell = leaf
    for (let i = 0; i < levels; i++) cell = node(beginCell(), cell).end()
    return cell
  }

  it('a payload that holds itself in two places many times over is cut', () => {
    const body = doubled(200, EMPTY_CELL, (b, below) => b.storeUint(0x2508d66a, 32).storeUint(0, 64).storeRef(below).storeRef(below))
    const text = JSON.stringify(shownOf(body))
    expect(text.length).toBeLessThan(5_000_000)
  })

  it('a long comment in hundreds of places is not written out hundreds of times', () => {
    const long = comment(Buffer.from('x'.repeat(100_000)))
    const body = doubled(9, long, (b, below) => b.storeUint(0x2508d66a, 32).storeUint(0, 64).storeRef(below).storeRef(below))
    expect(JSON.stringify(shownOf(body)).length).toBeLessThan(10_000_000)
  })

  it('a dictionary of a few cells that spells 2^200 entries is refused', () => {
    let node = beginCell().storeUint(2, 2).storeUint(0, 1).end()
    for (let i = 0; i < 200; i++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
    const body = beginCell().storeUint(0x0302cd79, 32).storeUint(1, 64).storeBit(1).storeRef(node).end()
    expect(shownOf(body)).toBe('no parser succeeded')
  })

  it('bodies that are shown with one budget are bounded together', () => {
    const budget = answerBudget()
    const body = doubled(9, EMPTY_CELL, (b, below) => b.storeUint(0x2508d66a, 32).storeUint(0, 64).storeRef(below).storeRef(below))
    const shown = Array.from({ length: 300 }, () => showInList(body, budget))
    expect(shown[0]).not.toBeNull()
    expect(shown.at(-1)).toBeNull()
    expect(JSON.stringify(shown).length).toBeLessThan(100_000_000)
  })

  it('cells that cost more than one body may are written once, however many constructors are tried above them', () => {
    // Two constructors have this tag, so the cells below ten of them were written two thousand times, in ten seconds.
    let body = wideTree(8_100, (b, i) => b.storeUint(i, 32).storeBytes(new Uint8Array(52)))
    for (let i = 0; i < 10; i++) body = beginCell().storeUint(0xc0ffee36, 32).storeUint(i, 64).storeRef(body).end()
    const began = threadTime()
    expect(shownOf(body)).toBe('no parser succeeded')
    expect(threadTime() - began).toBeLessThan(500)
  })

  it('sixteen bodies of two megabytes of JSON are inspected in turns of their own', async () => {
    const { inspectBody } = decodeHandlers()
    const turns = countTurns()
    await Promise.all(Array.from({ length: 16 }, (_, i) => inspectBody({ body: serializeBoc(manyLeaves(i)) }, { signal } as Call)))
    expect(turns.count()).toBeGreaterThan(8)
    turns.stop()
  })

  it('of many calls two are decoded at a time, so that the objects of the others do not fill the memory', async () => {
    const { 'v3.decode': decode } = decodeHandlers()
    const body = Buffer.from(serializeBoc(manyLeaves(1))).toString('hex')
    let [decoding, most] = [0, 0]
    const bodies = function* () {
      most = Math.max(most, ++decoding)
      yield body
      yield body
      decoding--
    }
    const watched = () => ({ [Symbol.iterator]: bodies }) as unknown as readonly string[]
    await Promise.all(Array.from({ length: 6 }, () => decode({ opcodes: [], bodies: watched() }, { signal } as Call)))
    expect(most).toBe(2)
  })

  it('a list of a thousand actions is read without going deeper than the stack', () => {
    let list = EMPTY_CELL
    for (let i = 0; i < 1000; i++)
      list = beginCell().storeRef(list).storeUint(0x36e6b809, 32).storeUint(0, 8).storeCoins(1n).storeBit(0).end()
    const body = beginCell().storeUint(0xae42e5a4, 32).storeUint(1, 64).storeRef(list).end()
    expect(shownOf(body)).toMatchObject({ '@type': 'highload_v3_internal_request', actions: { '@type': 'out_list' } })
  })

  it('references that stand after the last field are told even if they cost more than one body may', () => {
    const costly = doubled(12, EMPTY_CELL, (b, below) => b.storeUint(0x2508d66a, 32).storeUint(0, 64).storeRef(below).storeRef(below))
    const body = beginCell().storeUint(0x99999999, 32)
    for (let i = 0; i < 4; i++) body.storeRef(costly)
    const { left } = inspectBody(body.end())
    expect(left.map(({ decoded }) => decoded !== null)).toEqual([true, false, false, false])
  })

  it('a body that a request to a wallet reads only in part is left whole', () => {
    // It has the size of a request to a highload wallet v2, and a reference that such a request without messages does not have.
    const body = beginCell()
      .storeBytes(new Uint8Array(64).fill(0xab))
      .storeUint(0, 32 + 64)
      .storeBit(0)
      .storeRef(EMPTY_CELL)
      .end()
    expect(shownOf(body)).toBe('no parser succeeded')
    expect(inspectBody(body)).toMatchObject({ decoded: null, leftBits: 512 + 32 + 64 + 1, left: [{ cell: EMPTY_CELL }] })
  })

  it('nothing that breaks a body makes the decoder throw', () => {
    const roll = createRandom(11).below
    const make = bodyMaker(rows, roll)
    const spoil = (cell: Cell): Cell => {
      if (cell.exotic) return cell
      const refs = Array.from({ length: cell.refCount }, (_, i) => cell.ref(i))
      const at = roll(refs.length + 3)
      if (at < refs.length) refs[at] = spoil(refs[at]!)
      else if (at === refs.length) refs.pop()
      const data = cell.data()
      if (at === refs.length + 1 && data.length > 0) data[roll(data.length)]! ^= 1 << roll(8)
      const b = beginCell().storeBits(data, roll(4) === 0 ? roll(cell.bits + 1) : cell.bits)
      for (const ref of refs) b.storeRef(ref)
      return b.end()
    }
    const bodies = [...vectors('traces').map(bodyOf), ...rows.filter(({ kind }) => typeof kind === 'string').map((row) => make(row)!)]
    for (const body of bodies) {
      for (let i = 0; i < 20; i++) {
        expect(() => shownOf(spoil(body))).not.toThrow()
      }
    }
  })
})
