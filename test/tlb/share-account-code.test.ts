import { expect, it } from 'vitest'
import { endSteps } from '../../server/base/yield.ts'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { createKeep } from '../../server/chain/local/collate/accounts/block-accounts.ts'
import { ACCOUNT_NONE, loadAccount } from '../../server/tlb/state/account.ts'
import { createShareCode } from '../../server/tlb/state/share-account-code.ts'
import { wideTree } from '../kit/bombs.ts'
import { applyAccountInput } from '../kit/chain/account-input.ts'
import { ownWallet } from '../kit/chain/own-wallet.ts'

/* Accounts that share the cells of their code. */

/** An account as a lite-server sends it: with cells of its own. */
const parsedAccount = (n: number): Cell => {
  const { id, account } = ownWallet(n)
  return parseBocRoot(serializeBoc(applyAccountInput(undefined, id, account, 1_800_000_000)))
}
const codeOf = (account: Cell): Cell => {
  const state = loadAccount(account)?.state
  if (state?.type !== 'active') throw new Error('not active')
  return state.init.code!
}

it('accounts with the same code get the same cells of it, and stay the accounts that they were', () => {
  const shareCode = createShareCode()
  const [one, other] = [parsedAccount(1), parsedAccount(2)]
  expect(codeOf(one)).not.toBe(codeOf(other))
  const [first, second] = [shareCode(one), shareCode(other)]
  expect(codeOf(first)).toBe(codeOf(second))
  expect([first.hashKey(), second.hashKey()]).toEqual([one.hashKey(), other.hashKey()])
  expect(parseBocRoot(serializeBoc(second)).equals(other)).toBe(true)
})

it('codes are forgotten when their accounts have more than 8 MiB in all', () => {
  const shareCode = createShareCode()
  const first = codeOf(shareCode(parsedAccount(1), 1 << 18))
  expect(codeOf(shareCode(parsedAccount(2), 1 << 18))).toBe(first)
  const { id, account } = ownWallet(3)
  for (let i = 0; i < 32; i++)
    shareCode(applyAccountInput(undefined, id, { ...account, code: beginCell().storeUint(i, 8).end() }, 1_800_000_000), 1 << 18)
  expect(codeOf(shareCode(parsedAccount(4), 1 << 18))).not.toBe(first)
})

it('codes of new accounts of the embedded chain count with their cells', () => {
  const keep = createKeep()
  const add = (n: number, code?: Cell): Cell => {
    const { id, account } = ownWallet(n)
    const made = applyAccountInput(undefined, id, { ...account, ...(code !== undefined && { code }) }, 1_800_000_000)
    return codeOf(endSteps(keep(parseBocRoot(serializeBoc(made)), ACCOUNT_NONE)))
  }
  const first = add(1)
  expect(add(2)).toBe(first)
  for (let n = 0; n < 40; n++)
    add(
      3,
      wideTree(1_500, (cell, i) => cell.storeUint(n, 16).storeUint(i, 16)),
    )
  expect(add(4)).not.toBe(first)
})

it('an account without code stays the same object', () => {
  const nobody = beginCell().storeBit(0).end()
  expect(createShareCode()(nobody)).toBe(nobody)
})

it('a large account stays the same object: its code may have 60,000 cells', () => {
  const account = parsedAccount(1)
  expect(createShareCode()(account, 300_000)).toBe(account)
})
