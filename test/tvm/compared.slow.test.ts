import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { createComparedTvm } from '../kit/tvm/emulator/compared.ts'
import { runShadow, shadowRequest } from './oracle/shadow.ts'

/* Shadow mode: the port with both engines behind it, on the codes that stand on mainnet. */

const METHODS = 2
const { signal } = new AbortController()

describe('shadow mode', () => {
  let own: Tvm
  beforeAll(() => {
    own = createTestTvm({ workers: 1 })
  })
  afterAll(() => own.close())

  it('shadow mode finds no difference in the get-methods of real codes', async () => {
    const compared = await createComparedTvm(own)
    const codes = await runShadow(compared, METHODS, signal)
    expect(compared.differences()).toEqual([])
    expect(compared.compared()).toBeGreaterThan(2 * codes)
  }, 120_000)

  it('shadow mode finds no difference if an operand of a curve is not a number', async () => {
    const compared = await createComparedTvm(own)
    // DROP, PUSHINT 1, PUSHNAN, then RIST255_MUL, RIST255_QMUL, RIST255_MULBASE, RIST255_QMULBASE
    for (const hex of ['307183fff924', '307183ffb7f924', '307183fff925', '307183ffb7f925']) {
      const code = beginCell().storeBytes(Buffer.from(hex, 'hex')).end()
      await compared.runGetMethod(shadowRequest(code, beginCell().end(), 1), signal)
    }
    expect(compared.differences()).toEqual([])
  })

  it('shadow mode finds no difference if zero is shifted beyond the range of the node’s integers', async () => {
    const compared = await createComparedTvm(own)
    for (const count of [255, 256, 259, 260, 311, 312, 1023]) {
      // DROP, PUSHINT 0, PUSHINT count, then LSHIFT, or QLSHIFT and ISNAN
      const pushed = beginCell().storeUint(0x307081, 24).storeInt(count, 16)
      for (const opcode of ['ac', 'b7acc5']) {
        const code = beginCell().storeSlice(pushed.end().slice()).storeBytes(Buffer.from(opcode, 'hex')).end()
        await compared.runGetMethod(shadowRequest(code, beginCell().end(), 1), signal)
      }
    }
    expect(compared.differences()).toEqual([])
  })

  it('shadow mode records a difference, and answers with our own result', async () => {
    const odd: Tvm = { ...own, runGetMethod: async (...args) => ({ ...(await own.runGetMethod(...args)), exitCode: 77 }) }
    const compared = await createComparedTvm(odd)
    const result = await compared.runGetMethod(shadowRequest(beginCell().end(), beginCell().end(), 1), signal)
    expect(result.exitCode).toBe(77)
    expect(compared.differences()).toMatchObject([
      { kind: 'get-method', own: expect.stringMatching(/^exit 77 /), emulator: expect.stringMatching(/^exit 0 /) },
    ])
  })
})
