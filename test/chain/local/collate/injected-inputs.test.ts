import { expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../../../server/cell/boc.ts'
import type { Cell } from '../../../../server/cell/cell.ts'
import { createBlockAccounts } from '../../../../server/chain/local/collate/accounts/block-accounts.ts'
import { replaceAccounts } from '../../../../server/chain/local/collate/injected-inputs.ts'
import { loadAccount } from '../../../../server/tlb/state/account.ts'
import { wideTree } from '../../../kit/bombs.ts'
import { timeTurns } from '../../../kit/turns.ts'

it('the storage of a large account is measured in turns', async () => {
  const cells = 60_000
  const data = parseBocRoot(serializeBoc(wideTree(cells)))
  // biome-ignore lint/correctness/useYield: accounts are kept as they are, so that only the measuring takes turns.
  const keep = function* (account: Cell): Generator<void, Cell> {
    return account
  }
  const accounts = createBlockAccounts(0, () => undefined, keep)
  const account = { workchain: 0, hash: new Uint8Array(32).fill(1) }
  const { longest, all } = await timeTurns(() => replaceAccounts(accounts, [{ account, balance: 5n, data }], 1_760_000_000, () => false))
  expect(longest).toBeLessThan(all / 2)
  // The root of AccountStorage is a cell of its own, of 64 + 8 + 4 + 1 + 1 + 5 bits.
  const used = loadAccount(accounts.get(account.hash).now.accountCell)!.storageStat
  expect(used).toMatchObject({ usedCells: BigInt(cells) + 1n, usedBits: BigInt(cells) * 32n + 83n })
})
