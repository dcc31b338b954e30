import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { methodIds } from '../../server/index/topics/contracts/method-dictionary.ts'
import { makeTvmConfig } from '../../server/tvm/config.ts'
import type { GetMethodRequest, Tvm } from '../../server/tvm/tvm.ts'
import { walletV4 } from '../kit/chain/contracts.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { readData } from '../kit/data.ts'
import { idOf, stackCell } from '../kit/tvm/cells.ts'
import { createComparedTvm } from '../kit/tvm/emulator/compared.ts'
import { configOf } from './oracle/configs.ts'

/* Shadow mode: the port with both engines behind it, on the codes that stand on mainnet. */

const METHODS = 2
const DATA: readonly Cell[] = [
  beginCell().end(),
  // What many contracts begin with: numbers, then cells.
  beginCell()
    .storeBytes(Buffer.alloc(100, 0x5a))
    .storeRef(beginCell().storeUint(7, 64).end())
    .storeRef(beginCell().storeBytes(Buffer.alloc(40, 1)).end())
    .end(),
]

const { signal } = new AbortController()
const config = makeTvmConfig(configOf(12, 'usual'))
const request = (code: Cell, data: Cell, methodId: number): GetMethodRequest => ({
  ...{ config, code, data, methodId },
  address: idOf(walletV4.address),
  balance: 1_000_000_000n,
  extraCurrencies: new Map([
    [100, 5n],
    [239, 1n << 100n],
  ]),
  stack: stackCell([{ type: 'int', value: 1n }]),
  now: 1_760_000_000,
  randomSeed: Buffer.alloc(32, 1),
  gasLimit: 100_000n,
})

describe('shadow mode', () => {
  let own: Tvm
  beforeAll(() => {
    own = createTestTvm({ workers: 1 })
  })
  afterAll(() => own.close())

  it('finds no difference in the get-methods of real codes', async () => {
    const compared = await createComparedTvm(own)
    const codes = (JSON.parse(readData('codes/by-hash.json').toString()) as { boc: string }[]).map(({ boc }) =>
      parseBocRoot(Buffer.from(boc, 'base64')),
    )
    for (const code of codes) {
      for (const methodId of [...methodIds(code).slice(0, METHODS), 5]) {
        for (const data of DATA) await compared.runGetMethod(request(code, data, methodId), signal)
      }
    }
    expect(compared.differences()).toEqual([])
    expect(compared.compared()).toBeGreaterThan(2 * codes.length)
  }, 120_000)

  it('finds none where an operand of a curve is not a number', async () => {
    const compared = await createComparedTvm(own)
    // DROP, PUSHINT 1, PUSHNAN, then RIST255_MUL, RIST255_QMUL, RIST255_MULBASE, RIST255_QMULBASE
    for (const hex of ['307183fff924', '307183ffb7f924', '307183fff925', '307183ffb7f925']) {
      const code = beginCell().storeBytes(Buffer.from(hex, 'hex')).end()
      await compared.runGetMethod(request(code, beginCell().end(), 1), signal)
    }
    expect(compared.differences()).toEqual([])
  })

  it('finds none where zero is shifted beyond what the node keeps integers in', async () => {
    const compared = await createComparedTvm(own)
    for (const count of [255, 256, 259, 260, 311, 312, 1023]) {
      // DROP, PUSHINT 0, PUSHINT count, then LSHIFT, or QLSHIFT and ISNAN
      const pushed = beginCell().storeUint(0x307081, 24).storeInt(count, 16)
      for (const opcode of ['ac', 'b7acc5']) {
        const code = beginCell().storeSlice(pushed.end().slice()).storeBytes(Buffer.from(opcode, 'hex')).end()
        await compared.runGetMethod(request(code, beginCell().end(), 1), signal)
      }
    }
    expect(compared.differences()).toEqual([])
  })

  it('keeps a difference, and gives the own result', async () => {
    const odd: Tvm = { ...own, runGetMethod: async (...args) => ({ ...(await own.runGetMethod(...args)), exitCode: 77 }) }
    const compared = await createComparedTvm(odd)
    const result = await compared.runGetMethod(request(beginCell().end(), beginCell().end(), 1), signal)
    expect(result.exitCode).toBe(77)
    expect(compared.differences()).toMatchObject([
      { kind: 'get-method', own: expect.stringMatching(/^exit 77 /), emulator: expect.stringMatching(/^exit 0 /) },
    ])
  })
})
