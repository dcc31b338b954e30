import { expect, it } from 'vitest'
import { beginCell } from '../../../../server/cell/builder.ts'
import type { Cell } from '../../../../server/cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../../../server/cell/dict.ts'
import type { BlockAccount } from '../../../../server/chain/local/collate/accounts/block-accounts.ts'
import { publicLibraries } from '../../../../server/chain/local/collate/master/libraries.ts'
import { hashToBig } from '../../../../server/tlb/bytes.ts'
import { ACCOUNT_NONE } from '../../../../server/tlb/state/account.ts'
import { applyAccountInput } from '../../../kit/chain/account-input.ts'
import { fullDict } from '../../../kit/hostile-cells.ts'

const PUBLISHER = { workchain: -1, hash: new Uint8Array(32).fill(7) }

const librariesOf = (count: number, isPublic = true): Cell => {
  const cells = Array.from({ length: count }, (_, i) => beginCell().storeUint(i, 32).end())
  const rows = cells.map(
    (cell) =>
      [
        hashToBig(cell.hash()),
        beginCell()
          .storeBit(isPublic ? 1 : 0)
          .storeRef(cell),
      ] as const,
  )
  return dictFromEntries(
    256,
    rows.sort(([a], [z]) => (a < z ? -1 : 1)),
  )!
}

const changed = (before: Cell, after: Cell): BlockAccount => ({
  id: hashToBig(PUBLISHER.hash),
  ...PUBLISHER,
  accountInState: before,
  accountBefore: before,
  now: { accountCell: after, lastTransHash: new Uint8Array(32), lastTransLt: 0n },
  transactions: [],
  replaced: true,
  prepared: after,
})

it('libraries are read, published and forgotten with a pause before each', async () => {
  let pauses = 0
  const pause = (): undefined => {
    pauses++
  }
  const account = applyAccountInput(undefined, PUBLISHER, { account: PUBLISHER, library: librariesOf(100) }, 0)
  const published = await publicLibraries(undefined, [changed(ACCOUNT_NONE, account)], pause)
  expect([...dictEntries(published, 256, { cells: 1_000 })]).toHaveLength(100)
  expect(pauses).toBe(200)
  expect(await publicLibraries(published, [changed(account, ACCOUNT_NONE)], pause)).toBeUndefined()
  expect(pauses).toBe(400)
})

it('libraries that are not public are read with a pause before each', async () => {
  let pauses = 0
  const pause = (): undefined => {
    pauses++
  }
  const accounts = [100, 200].map((count) =>
    applyAccountInput(undefined, PUBLISHER, { account: PUBLISHER, library: librariesOf(count, false) }, 0),
  )
  const published = await publicLibraries(
    undefined,
    accounts.map((account) => changed(ACCOUNT_NONE, account)),
    pause,
  )
  expect(published).toBeUndefined()
  expect(pauses).toBe(300)
})

it('as many libraries as an account can have are published; more of them, and 2^256 in a few cells, are refused', async () => {
  const value = beginCell().storeBit(1).storeRef(beginCell().end()).end()
  const publish = (levels: number): Promise<Cell | undefined> => {
    const account = applyAccountInput(undefined, PUBLISHER, { account: PUBLISHER, library: fullDict(256, { value }, levels) }, 0)
    return publicLibraries(undefined, [changed(ACCOUNT_NONE, account)], () => undefined)
  }
  // Their keys are not their hashes.
  expect(await publish(16)).toBeUndefined()
  await expect(publish(17)).rejects.toMatchObject({ kind: 'budget' })
  await expect(publish(256)).rejects.toMatchObject({ kind: 'budget' })
})
