import { parseBocRoot } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { methodIds } from '../../../server/index/topics/contracts/method-dictionary.ts'
import type { GetMethodRequest, Tvm } from '../../../server/tvm/tvm.ts'
import { walletV4 } from '../../kit/chain/contracts.ts'
import { readData } from '../../kit/data.ts'
import { idOf, stackOf } from '../../kit/tvm/cells.ts'
import { configOf } from './configs.ts'

/* Get-methods of the codes that stand on mainnet, for a TVM in shadow mode (createComparedTvm). */

const DATA: readonly Cell[] = [
  beginCell().end(),
  // What many contracts begin with: numbers, then cells.
  beginCell()
    .storeBytes(Buffer.alloc(100, 0x5a))
    .storeRef(beginCell().storeUint(7, 64).end())
    .storeRef(beginCell().storeBytes(Buffer.alloc(40, 1)).end())
    .end(),
]
const config = configOf(12, 'usual')

/** A get-method under the rules of version 12. */
export const shadowRequest = (code: Cell, data: Cell, methodId: number): GetMethodRequest => ({
  ...{ config, code, data, methodId },
  address: idOf(walletV4.address),
  balance: 1_000_000_000n,
  extraCurrencies: new Map([
    [100, 5n],
    [239, 1n << 100n],
  ]),
  stack: stackOf([{ type: 'int', value: 1n }]),
  now: 1_760_000_000,
  randomSeed: Buffer.alloc(32, 1),
  gasLimit: 100_000n,
})

/** Runs up to `methods` get-methods of each recorded code, and one that it may not have, with each kind of data. Resolves with the number of codes. */
export const runShadow = async (tvm: Pick<Tvm, 'runGetMethod'>, methods: number, signal: AbortSignal): Promise<number> => {
  const recorded = JSON.parse(readData('codes/by-hash.json').toString()) as { boc: string }[]
  for (const { boc } of recorded) {
    const code = parseBocRoot(Buffer.from(boc, 'base64'))
    for (const methodId of [...methodIds(code).slice(0, methods), 5]) {
      for (const data of DATA) await tvm.runGetMethod(shadowRequest(code, data, methodId), signal)
    }
  }
  return recorded.length
}
