import { Address, beginCell } from '@ton/core'
import { expect, it } from 'vitest'
import { approve, FRIEND, nftTransfer, propose, sendAction } from '../scene.ts'
import type { Walk } from './walk.ts'

/* What people see before they sign an order of a multisig. */

const EMPTIED = 'An action before this one sends all coins of the multisig, so nothing is left to send this one.'

export const orders = (walk: Walk): void => {
  const { open, says } = walk

  /** The address of an order, and what became of it in the multisig when it had its second signature. */
  const carryOut = async (multisig: Address, seqno: number) => {
    const { call } = walk.service
    const { orders } = await call('v3.multisig.orders', { multisig_address: [multisig.toRawString()] })
    await approve(call, Address.parse(orders.find(({ order_seqno }) => order_seqno === String(seqno))!.address))
    await walk.service.settle()
    const { transactions } = await call('v3.transactions', { account: [multisig.toRawString()], limit: 1 })
    const [{ description, out_msgs: sent }] = transactions as [(typeof transactions)[number]]
    return { ...description.action, sent: sent.length }
  }

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
        `\\s+2 GRAM and the coins that the order has left\\s+→\\s+${receiver}\\s`,
        `\\s+“Leaf 1” ${item}\\s+→\\s+${receiver}\\s+with all coins of the multisig\\s`,
      ].join('[\\s\\S]*'),
    )
    await open()
    await open('account', walk.known.multisig)
    // The second action cannot be paid, and is not left out. So nothing is sent.
    await says(first, /2 more actions\s+2 of these will most likely fail/, 'all 5 actions will most likely fail')
    // No amount stands there that would not be the one that is paid.
    const list = walk.page.getByRole('region', { name: 'Orders' }).locator('tr', { hasText: 'all coins of the multisig' })
    expect(await list.innerText()).not.toMatch(/[^.](1|0\.3|5) GRAM/)
    await list.getByRole('link', { name: 'order 1', exact: true }).click()
    await says(
      'Order 1 of multisig 2 of 3',
      first,
      'all 5 actions will most likely fail',
      /send mode 160: the multisig is deleted if nothing is left on it/,
      /send mode 64: fees for delivery are taken from these coins/,
      new RegExp(`sent to the NFT “Leaf 1” ${item}\\s+[\\s\\S]*send mode 130: it is left out if it cannot be sent`),
      new RegExp(`4 GRAM\\s+→\\s+“Leaves” ${collection}\\s+[\\s\\S]*send mode 1: fees for delivery are paid apart`),
      new RegExp(`nothing: 192 is not a valid send mode\\s+→\\s+${receiver}\\s+will most likely fail`),
      `${EMPTIED} Its mode does not leave it out, so no action of this order takes effect.`,
      'No message can be sent with mode 192. Its mode does not leave it out, so no action of this order takes effect.',
    )
    expect(await walk.page.locator('main .card', { hasText: 'What it does' }).innerText()).not.toMatch(/[^.](1|0\.3|5) GRAM/)
  })
  it('an order says which of its actions cannot be paid, and what becomes of it is what was said', async () => {
    const { call } = walk.service
    const [multisig, friend] = [walk.known.multisig, FRIEND].map((each) => Address.parse(each)) as [Address, Address]
    // Nothing of order 1 is sent: its second action has no coins.
    expect(await carryOut(multisig, 1)).toMatchObject({ success: false, result_code: 37, no_funds: true, sent: 0 })
    await open('account', walk.known.multisig)
    await says('failed: nothing was carried out', 'Orders, last changed first')
    // What was executed expires no more.
    const expiry = walk.page
      .getByRole('region', { name: 'Orders' })
      .locator('tr', { hasText: 'order 1' })
      .locator('td[data-name="Expires"]')
    await expect.poll(() => expiry.innerText()).toMatch(/^executed (now|\d+\s\w+ ago)$/)
    await walk.page.getByRole('region', { name: 'Orders' }).getByRole('link', { name: 'order 1', exact: true }).click()
    await says('Order 1 of multisig 2 of 3', /Execution\s+[0-9a-f]{8}…\w+\s+on [\s\S]*action failed, code 37, /)
    await propose(call, multisig, 2, [
      sendAction(FRIEND, 1_000_000n, 'before', 3),
      sendAction(FRIEND, 0n, 'all of it', 128),
      sendAction(FRIEND, 2_000_000n, 'more', 3),
      sendAction(walk.known.item, 0n, nftTransfer(friend, multisig), 128 + 2),
    ])
    await walk.service.settle()
    await open('account', walk.known.multisig)
    await says('2 of 4 actions will most likely fail')
    await walk.page.getByRole('region', { name: 'Orders' }).getByRole('link', { name: 'order 2', exact: true }).click()
    await says('Order 2 of multisig 2 of 3', `${EMPTIED} It is left out.`)
    const actions = walk.page.locator('main .card', { hasText: 'What it does' }).locator('.plain-list.apart > li')
    const fails = (await actions.allInnerTexts()).map((text) => [text.includes('will most likely fail'), text.includes(EMPTIED)])
    expect(fails).toEqual([
      [false, false],
      [false, false],
      [true, true],
      [true, true],
    ])
    expect(await carryOut(multisig, 2)).toMatchObject({ success: true, skipped_actions: 2, sent: 2 })
    await says('carried out without 2 actions')
    await expect.poll(walk.text).not.toContain('will most likely fail')
    await call('local.fund', { address: walk.known.multisig, amount: '10000000000' })
    await walk.service.settle()
  })
}
