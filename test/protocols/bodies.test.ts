import { describe, expect, it } from 'vitest'
import { opcodeName, showBody } from '../../server/protocols/index.ts'
import { body, query, uint, vu16 } from '../decode/hand-made.ts'
import { OWN_BODIES } from './own-bodies.ts'

/* Bodies made by hand: what the fields are is written out once more beside each protocol's tests. */

/** The tag of these bodies is also that of a constructor that comes first, and gives its name to the opcode. */
const FIRST_OF_ITS_TAG = new Map([['supply_withdraw_master_jetton', 'evaa_supply_withdraw_master_jetton']])

describe('bodies that no second decoder reads', () => {
  it.each(OWN_BODIES)('the body %s has its fields', (name, made, fields) => {
    expect(showBody(made)).toEqual({ shown: { '@type': name, ...fields } })
    expect(opcodeName(made.slice().loadUint(32))).toBe(FIRST_OF_ITS_TAG.get(name) ?? name)
  })

  it('an amount keeps the length that it was written with', () => {
    const long = body(0x595f07bc, query, uint(2, 4), uint(7, 16), uint(0, 2), uint(0, 1))
    expect(showBody(long)).toMatchObject({ shown: { amount: { ...vu16(7), len: '2' } } })
  })
})
