import { bls12_381 } from '@noble/curves/bls12-381.js'
import { ristretto255 } from '@noble/curves/ed25519.js'
import { beginCell } from '../../../server/cell/builder.ts'
import { EMPTY_CELL } from '../../../server/cell/cell.ts'
import type { Value } from '../../../server/tvm/machine/value.ts'
import { runVm } from '../../../server/tvm/run-vm.ts'
import type { Bench } from '../bench.ts'
import '../../kit/tvm/curves.ts'

/* How much processor time a gas can cost: endless loops over the instructions that are slow for their price. */

const GAS = 400_000

const sliceOf = (bytes: Uint8Array): Value => beginCell().storeBytes(bytes).end().slice()
const g1 = sliceOf(bls12_381.G1.Point.BASE.multiply(5n).toBytes())
const g2 = sliceOf(bls12_381.G2.Point.BASE.multiply(7n).toBytes())
const signature = sliceOf(bls12_381.G2.Point.BASE.multiply(11n).toBytes())
const point = BigInt(`0x${Buffer.from(ristretto255.Point.BASE.multiply(12_345n).toBytes()).toString('hex')}`)
const factor = (1n << 251n) + 7n

/** The body of each loop, and the stack on which it runs. It leaves the stack as it was. */
const LOOPS: Readonly<Record<string, { readonly body: string; readonly stack: readonly Value[] }>> = {
  INC: { body: 'a4', stack: [0] },
  // 2DUP, the instruction, DROP
  BLS_G1_ADD: { body: '5cf9301030', stack: [g1, g1] },
  BLS_G2_ADD: { body: '5cf9302030', stack: [g2, g2] },
  BLS_G1_MUL: { body: '5cf9301330', stack: [g1, factor] },
  BLS_G2_MUL: { body: '5cf9302330', stack: [g2, factor] },
  BLS_MAP_TO_G1: { body: '20f9301630', stack: [sliceOf(Buffer.alloc(48, 1))] },
  BLS_MAP_TO_G2: { body: '20f9302630', stack: [sliceOf(Buffer.alloc(96, 1))] },
  BLS_G1_INGROUP: { body: '20f9301730', stack: [g1] },
  BLS_G2_INGROUP: { body: '20f9302730', stack: [g2] },
  // 2DUP, PUSHINT 1, the instruction, DROP
  BLS_G1_MULTIEXP: { body: '5c71f9301430', stack: [g1, factor] },
  BLS_G2_MULTIEXP: { body: '5c71f9302430', stack: [g2, factor] },
  BLS_PAIRING: { body: '5c71f9303030', stack: [g1, g2] },
  // PUSH s2 three times, BLS_VERIFY, DROP
  BLS_VERIFY: { body: '222222f9300030', stack: [g1, sliceOf(Buffer.from('a message')), signature] },
  RIST255_ADD: { body: '5cf92230', stack: [point, point] },
  RIST255_MUL: { body: '5cf92430', stack: [point, factor] },
  RIST255_MULBASE: { body: '20f92530', stack: [factor] },
  RIST255_FROMHASH: { body: '5cf92030', stack: [factor, point] },
  // NEWC, RANDU256, PUSH s2, PUSHINT 256, DICTUSETB, NIP: random keys into a dictionary that grows
  DICTUSETB: { body: 'c8f81022810100f44331', stack: [null] },
}

const c7: Value = [[0x076ef1ea, 0, 0, 0, 0, 0, 1, [0, null], null, null]]

/** Microseconds of processor time a gas of one endless loop. */
const perGas = (name: string): number => {
  const { body, stack } = LOOPS[name]!
  const code = beginCell()
    .storeBytes(Buffer.from(`9${(body.length / 2).toString(16)}${body}ea`, 'hex'))
    .end()
  const run = (limit: number): void => {
    const { exitCode } = runVm({ code, data: EMPTY_CELL, stack: [...stack], c7: c7 as Value[], gas: { limit }, version: 15 })
    if (exitCode !== -14) throw new Error(`${name} ends with ${exitCode}`)
  }
  run(GAS)
  const start = process.cpuUsage()
  run(GAS)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / GAS
}

/** The slowest of them; all are written beside the table. */
export const worst: Bench = {
  name: `processor time a gas of the slowest of ${Object.keys(LOOPS).length} endless loops`,
  target: { atMost: 2, unit: 'us' },
  async measure() {
    const all = Object.keys(LOOPS).map((name) => ({ name, us: perGas(name) }))
    const [slowest] = all.sort((a, b) => b.us - a.us)
    console.error(all.map(({ name, us }) => `${name} ${us.toFixed(3)}`).join(', '))
    return { ours: slowest!.us, yardstick: 2, ratio: slowest!.us, unit: 'us' }
  },
}
