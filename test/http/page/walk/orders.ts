import { Address, beginCell } from '@ton/core'
import { expect, it } from 'vitest'
import { FRIEND, nftTransfer, propose, sendAction } from '../scene.ts'
import type { Walk } from './walk.ts'

/* What people see before they sign an order of a multisig. */

export const orders = (walk: Walk): void => {
  const { open, says } = walk

  it('an order says what its send modes make of the amounts, which of its actions will fail, and the address of everything that names itself', async () => {
    const { call } = walk.service
    const [multisig, friend] = [walk.known.multisig, FRIEND].map((each) => Address.parse(each)) as [Address, Address]
    const empty = beginCell().endCell()
    await propose(call, multisig, 1, [
      // All coins, whatever the message says, and the account goes with them.
      sendAction(FRIEND, 1_000_000_000n, 'all of it', 128 + 32),
      sendAction(FRIEND, 2_000_000_000n, 'more', 64),
      sendAction(walk.known.item, 300_000_000n, nftTransfer(friend, multisig), 128 + 2),
      sendAction(walk.known.collection, 4_000_000_000n, empty, 1),
      // No message is sent with both.
      sendAction(FRIEND, 5_000_000_000n, 'none', 128 + 64),
    ])
    await walk.service.settle()
    const [receiver, item, collection] = await Promise.all([FRIEND, walk.known.item, walk.known.collection].map((each) => walk.short(each)))
    const first = new RegExp(
      [
        `Transfer\\s+all coins of the multisig, which is deleted\\s+→\\s+${receiver}\\s`,
        `\\s+2 TON and the coins that the order has left\\s+→\\s+${receiver}\\s`,
        `\\s+“Leaf 1” ${item}\\s+→\\s+${receiver}\\s+with all coins of the multisig\\s`,
      ].join('[\\s\\S]*'),
    )
    await open()
    await open('account', walk.known.multisig)
    await says(first, /2 more actions\s+1 of these will most likely fail/, '1 of 5 actions will most likely fail')
    // No amount stands there that would not be the one that is paid.
    const list = walk.page.getByRole('region', { name: 'Orders' }).locator('tr', { hasText: 'all coins of the multisig' })
    expect(await list.innerText()).not.toMatch(/[^.](1|0\.3|5) TON/)
    await list.getByRole('link', { name: 'order 1', exact: true }).click()
    await says(
      'Order 1 of multisig 2 of 3',
      first,
      '1 of 5 actions will most likely fail',
      /send mode 160: the multisig is deleted if nothing is left on it/,
      /send mode 64: fees for delivery are taken from these coins/,
      new RegExp(`sent to the NFT “Leaf 1” ${item}\\s+[\\s\\S]*send mode 130: it is left out if it cannot be sent`),
      new RegExp(`4 TON\\s+→\\s+“Leaves” ${collection}\\s+[\\s\\S]*send mode 1: fees for delivery are paid apart`),
      new RegExp(`nothing: 192 is not a valid send mode\\s+→\\s+${receiver}\\s+will most likely fail`),
    )
    expect(await walk.page.locator('main .card', { hasText: 'What it does' }).innerText()).not.toMatch(/[^.](1|0\.3|5) TON/)
  })
}
