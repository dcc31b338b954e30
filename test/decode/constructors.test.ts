import { describe, expect, it } from 'vitest'
import { opcodeName, rows, showBody } from '../../server/protocols/index.ts'
import { OWN_BODIES } from '../protocols/own-bodies.ts'
import { bodyOf, type Vector, vectors } from './vectors.ts'

const shows = (vector: Vector): void => {
  const result = showBody(bodyOf(vector))
  const shown = 'unknown' in result ? null : result.shown
  expect(JSON.stringify(shown)).toBe(JSON.stringify(vector.decoded))
}

describe('bodies against an independent decoder', () => {
  const made = vectors('constructors')
  it.each(made.map((vector) => [vector.decoded!['@type'], vector] as const))('%s is decoded as by an independent decoder', (_, vector) =>
    shows(vector))

  it('every constructor has a body of an independent encoder or one made by hand (protocols/NAME/bodies.ts), or is hidden by another of its tag', () => {
    const covered = new Set([...made.map(({ decoded }) => decoded!['@type']), ...OWN_BODIES.map(([name]) => name)])
    const bodies = rows.filter(({ kind }) => typeof kind === 'string')
    const hidden = new Set(bodies.filter((row) => bodies.find(({ tag }) => tag === row.tag)!.name !== row.name).map(({ name }) => name))
    const left = bodies.map(({ name }) => name).filter((name) => !covered.has(name) && !hidden.has(name))
    expect(left).toEqual([])
  })

  it('the order of tables does not decide which name an opcode has', () => {
    // Of the tags that several families share (9.4): the first name, the others behind it.
    const shared = {
      '00000001': 'evaa_supply_master',
      '7362d09c': 'jetton_notify',
      '4eb1f0f9': 'change_dns_record',
      a1daa96d: 'tonco_router_pay_to_normal',
    }
    for (const [opcode, name] of Object.entries(shared)) expect(opcodeName(Number.parseInt(opcode, 16))).toBe(name)
  })

  const real = vectors('traces')
  it.each(
    real.map((vector, i) => [vector.decoded?.['@type'] ?? 'nothing', i, vector] as const),
  )('%s of a mainnet trace is decoded as by an independent decoder (%i)', (_, _i, vector) => shows(vector))
})
