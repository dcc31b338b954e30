import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictSet } from '../../../server/cell/dict.ts'
import { createChain } from '../../../server/chain/chain.ts'
import type { Chain } from '../../../server/chain/chain-port.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { type AccountId, MASTERCHAIN } from '../../../server/tlb/ids.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'

/* Get-methods that need public libraries. */

const { signal } = new AbortController()
const tvm = createTestTvm({ workers: 1 })
let local: LocalChain
let chain: Chain

const account = (workchain: number, byte: number): AccountId => ({ workchain, hash: new Uint8Array(32).fill(byte) })
/** Code without a selector: pushes the number and stops. */
const pushing = (value: number): Cell => beginCell().storeUint(0x80, 8).storeInt(value, 8).end()
const libraryCell = (code: Cell): Cell => beginCell().storeUint(2, 8).storeBytes(code.hash()).endExotic()
/** DROP, then runs the contract's data as code: c4 PUSH, CTOS, BLESS, EXECUTE. */
const runningData = beginCell().storeUint(0x30, 8).storeUint(0xed44, 16).storeUint(0xd0, 8).storeUint(0xed1e, 16).storeUint(0xd8, 8).end()
const LIBRARIES = Array.from({ length: 40 }, (_, i) => pushing(i))

beforeAll(async () => {
  local = await createTestChain(tvm)
  chain = createChain({ source: local, tvm })
  const published = (root: Cell | undefined, code: Cell): Cell =>
    dictSet(root, 256, BigInt(`0x${code.hashHex()}`), beginCell().storeBit(1).storeRef(code))
  const library = LIBRARIES.reduce<Cell | undefined>(published, undefined)!
  await local.control.setAccount(account(MASTERCHAIN, 1), { balance: 1n, code: pushing(1), data: beginCell().end(), library }, signal)
})
afterAll(async () => {
  await local.close()
  await tvm.close()
})

it('accounts with the same code need forty libraries, and each gets its own', async () => {
  const results: unknown[] = []
  for (const [i, library] of LIBRARIES.entries()) {
    await local.control.setAccount(account(0, i), { balance: 1n, code: runningData, data: libraryCell(library) }, signal)
    results.push((await chain.runGetMethod(account(0, i), 1, [], undefined, signal)).stack.at(-1))
  }
  expect(results).toEqual(LIBRARIES.map((_, i) => ({ type: 'int', value: BigInt(i) })))
})

it('sixteen libraries are read at once, and more are refused', async () => {
  const hashes = LIBRARIES.map((code) => code.hash())
  expect(await chain.libraries(hashes.slice(0, 16), signal)).toHaveLength(16)
  await expect(chain.libraries(hashes.slice(0, 17), signal)).rejects.toMatchObject({
    kind: 'CHAIN',
    message: 'INVALID_FIELD: Field library_list has invalid value : too many libraries requested, 16 maximum',
  })
})
