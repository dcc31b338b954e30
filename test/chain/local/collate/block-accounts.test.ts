import { expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../../../server/cell/boc.ts'
import { beginCell } from '../../../../server/cell/builder.ts'
import { compactSteps } from '../../../../server/cell/copy-cells.ts'
import { createBlockAccounts, replaceAccount } from '../../../../server/chain/local/collate/accounts/block-accounts.ts'
import { timeTurns } from '../../../kit/turns.ts'

it('accounts whose addresses end in the same 64 bits are found as fast as others', () => {
  const accounts = createBlockAccounts(0, () => undefined, compactSteps)
  const before = process.cpuUsage()
  for (let i = 0; i < 1 << 15; i++) {
    const hash = new Uint8Array(32)
    new DataView(hash.buffer).setUint32(0, i)
    const first = accounts.get(hash)
    if (accounts.get(hash) !== first) throw new Error('the account was not found again')
  }
  // About 0.2 s. With numbers as keys it was 15 s.
  expect(process.cpuUsage(before).user).toBeLessThan(4e6)
})

it('many small accounts that one block changed are prepared in turns', async () => {
  const accounts = createBlockAccounts(0, () => undefined, compactSteps)
  let data = beginCell().storeUint(1, 32).end()
  for (let i = 0; i < 100; i++) data = beginCell().storeUint(i, 32).storeRef(data).end()
  // Cells of a bag are copied, cells that were built are not.
  const boc = serializeBoc(data)
  for (let i = 0; i < 1_500; i++) {
    const hash = new Uint8Array(32)
    new DataView(hash.buffer).setUint32(0, i)
    replaceAccount(accounts.get(hash), parseBocRoot(boc))
  }
  const { longest, all } = await timeTurns(() => accounts.prepare())
  expect(longest).toBeLessThan(all / 3)
})
