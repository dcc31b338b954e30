import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import type { Random } from '../../kit/random.ts'
import { randomTree } from './cells.ts'

/* Codes of the accounts that random transactions run on. Their data holds what they will do. */

const code = (hex: string, ref?: Cell): Cell => {
  const b = beginCell().storeBytes(Buffer.from(hex, 'hex'))
  return (ref === undefined ? b : b.storeRef(ref)).end()
}

/** ACCEPT */
const ACCEPT = 'f800'
/** c4 PUSHCTR, CTOS, LDREF, LDREF, DROP, c5 POPCTR, c4 POPCTR: takes data and actions from the references of c4. */
const APPLY = 'ed44d0d4d430ed55ed54'
/** COMMIT */
const COMMIT = 'f80f'
/** <{ }> PUSHCONT, AGAIN */
const LOOP = '90ea'

const throwing = (n: number): string => `f2${(n & 63).toString(16).padStart(2, '0')}`
/** n PUSHINT (16 bits), m THROWARG */
const throwingArgument = (argument: number, n: number): string =>
  `81${(argument & 0xffff).toString(16).padStart(4, '0')}f2${(0xc800 | (n & 0x7ff)).toString(16)}`

/** NEWC, numbers of c7 as 256 bits each, ENDC, c4 POPCTR: what the transaction tells of itself. */
const environment = (version: number): string => {
  // NOW, BLOCKLT, LTIME; RANDSEED from version 8 on: what the emulator makes of it before depends on how its compiler laid out its memory.
  const params = ['f823', 'f824', 'f825']
  if (version >= 8) params.push('f826')
  // Storage fees; due payment.
  if (version >= 4) params.push('f82c')
  if (version >= 6) params.push('f82f')
  const store = (get: string): string => `${get}01cbff`
  const first = `c8${params.slice(0, 3).map(store).join('')}c9`
  const second = `c8${params.slice(3).map(store).join('')}c9`
  // What the message says of itself: flags, fwd_fee, created_lt, created_at, both values.
  const told = 'c8f89001ca07f89101ca07f89301cbfff89401cbfff89501cb1ff89601cb7ff89701cb7fc9'
  const message = version >= 11 ? told : ''
  // The balance and the message's value as they lie on the stack, MYADDR, and the message's source.
  const [balance, value] = version >= 11 ? ['28', '27'] : ['27', '26']
  const third = `c8${balance}01cb7f${value}01cb7ff82801ce${version >= 11 ? 'f89201ce' : ''}c9`
  return `${first}${second}${message}${third}c8${'cc'.repeat(version >= 11 ? 4 : 3)}c9ed54`
}

/** The code of an account, by name. Some do not accept, fail, or are no code. */
export const randomCode = (random: Random, version: number): Cell => {
  switch (random.below(16)) {
    case 0:
      return code(APPLY)
    case 1:
      return code(`${ACCEPT}${APPLY}${throwing(1 + random.below(60))}`)
    case 2:
      return code(`${ACCEPT}${APPLY}${COMMIT}${throwing(random.below(60))}`)
    case 3:
      return code(random.chance(0.5) ? `${ACCEPT}${LOOP}` : LOOP)
    case 4:
      return code(`${ACCEPT}${throwingArgument(random.below(0x10000), random.below(2000))}`)
    case 5:
      return random.chance(0.5) ? code('') : randomTree(random, 3)
    case 6:
    case 7:
      return code(`${ACCEPT}${environment(version)}`)
    default:
      return code(`${ACCEPT}${APPLY}`)
  }
}

/** A code that does its actions: what the configuration lists as precompiled. */
export const PRECOMPILED: Cell = code(`${ACCEPT}${APPLY}00`)
export const DEAR_PRECOMPILED: Cell = code(`${ACCEPT}${APPLY}0000`)
