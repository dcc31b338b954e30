import { expect, it } from 'vitest'
import { largeTrace } from '../hostile.ts'
import { answerOf, type Walk } from './walk.ts'

/* A trace as a picture. */

export const trace = (walk: Walk): void => {
  const { open, says } = walk

  it('a trace is shown as a picture whose transactions are chosen by mouse and keyboard', async () => {
    await open('tx', walk.known.mint)
    await says('Jetton mint', '3 transactions', 'exit code 0')
    // The same units as everywhere: coins of the body in TON, jettons by their decimals.
    await says(/TON amount\s+0\.1\s+TON/, /Amount\s+123\.456789\s+ACRN/, /Forward fee\s+0\.000\d+\s+TON/)
    // The amount stands in the message for the jetton wallet, which v3 does not decode.
    const received = walk.page.locator('.message', { hasText: 'Message received' })
    await expect
      .poll(() => received.innerText())
      .toMatch(/TON amount\s+0\.1\s+TON[\s\S]*with\s+Jetton internal transfer\s+Amount\s+123\.456789\s+ACRN/)
    await expect.poll(() => walk.page.locator('.picture .node').count()).toBe(3)
    const node = walk.page.locator('.picture .node').nth(1)
    expect([await node.locator('.account').textContent(), await node.locator('.kind').first().textContent()]).toEqual([
      'ACRN wallet',
      'of oak.ton',
    ])
    await says(/3 transactions, started by oak\.ton/)
    // Two arrows, each a line and its head, and coins that came in.
    expect((await walk.page.locator('.picture .lines').getAttribute('d'))!.match(/M/g)).toHaveLength(4)
    expect(await node.locator('.value').textContent()).toMatch(/^\+0\.\d+ TON$/)
    await says(/Begun by message\s+[0-9a-f]{64}/)
    // The message as it is.
    await received.getByText('Body as a BoC').click()
    await expect.poll(() => received.locator('pre').innerText()).toMatch(/^te6cc/)
    const first = walk.page.locator('.picture .node').first()
    await first.click()
    await walk.page.keyboard.press('ArrowRight')
    await expect.poll(() => walk.page.evaluate(() => document.activeElement?.textContent ?? '')).toContain('ACRN wallet')
    await says('Jetton internal transfer')
  })

  it('the view of a trace shows at a glance what failed, with its exit code and its bounce', async () => {
    await open('tx', walk.known.failed)
    await says('one transaction failed', 'exit code 65535', 'the contract most likely does not know this opcode', 'value sent back')
    await expect.poll(() => walk.page.locator('.picture .node.failed').count()).toBe(1)
    const reasons = walk.page.locator('.action.failed .reason')
    expect(await reasons.first().innerText()).toBe('exit code 65535, the contract most likely does not know this opcode')
    // An account without a name is shortened as it is everywhere else.
    const short = await walk.page.locator('.actions .who a .mono').first().innerText()
    expect(await walk.page.locator('.picture .node .account').nth(1).textContent()).toBe(short)
    // It is the received message that bounced. The other one is its return.
    const messages = walk.page.locator('.message h4')
    expect(await messages.allInnerTexts()).toEqual([
      expect.stringMatching(/^Message received\s+bounced$/),
      expect.stringMatching(/^Message sent\s+sends the value back$/),
    ])
    // Whoever asks what it cost wants all of it.
    const { traces } = await walk.service.call('v3.traces', { tx_hash: [walk.known.failed], limit: 1 })
    const paid = Object.values(traces[0]!.transactions!).flatMap(({ total_fees, out_msgs }) => [
      total_fees,
      ...out_msgs.map(({ fwd_fee }) => fwd_fee ?? '0'),
    ])
    const sum = paid.reduce((all, fee) => all + BigInt(fee), 0n)
    await says(new RegExp(`Total fees\\s+0\\.${sum.toString().padStart(9, '0').replace(/0+$/, '')}\\s+TON with the delivery of messages`))
    const failed = traces[0]!.transactions![Buffer.from(walk.known.failed, 'hex').toString('base64')]!
    const text = (nanotons: bigint): string => `0\\.${nanotons.toString().padStart(9, '0').replace(/0+$/, '')}\\s+TON`
    const [own, delivery] = [BigInt(failed.total_fees), BigInt(failed.out_msgs[0]!.fwd_fee!)]
    await says(
      new RegExp(`Total fees\\s+${text(own + delivery)}\\s+=\\s+${text(own)} fees \\+ ${text(delivery)} for the delivery of messages`),
    )
    await expect.poll(() => walk.page.locator('.picture .node.bounced').count()).toBe(1)
  })

  it('the view of a transaction runs it again and lists the steps of the TVM', async () => {
    await walk.page.getByRole('button', { name: 'Run it again' }).click()
    await says(/\d+ steps/, 'SETCP', /It ended with exit code 65535 and used \d[\d\s]* gas\./, 'The top of a stack is at its right')
    // Entries of a deep stack that are left out are counted.
    await says(/\[\d+ more below\]/)
    // The step that failed is seen at once.
    const failing = walk.page.locator('.steps tr.bad')
    expect([await failing.count(), await failing.last().innerText()]).toEqual([1, expect.stringMatching(/THROW\w*[\s\S]*exit code 65535/)])
    // A step is a line; cells and slices open to the whole of them.
    const row = walk.page.locator('.steps tbody tr').first()
    const stack = row.locator('td[data-name="Stack before"]')
    expect(await stack.innerText()).toMatch(/C\{[0-9a-f]{8}…[0-9a-f]{8}\}/)
    await stack.locator('summary').click()
    await expect.poll(() => stack.innerText()).toMatch(/C\{[0-9a-f]{64}\}/)
  })

  it('the view of a transaction has it as a BoC', async () => {
    const { transactions } = await walk.service.call('v3.transactions', { hash: [walk.known.failed] })
    const { account, lt } = transactions[0]!
    const [expected] = await walk.service.call('getTransactions', { address: account, lt, hash: walk.known.failed, limit: 1 })
    await open('tx', walk.known.failed)
    const listing = walk.page.locator('details', { hasText: 'Transaction as a BoC' })
    await listing.locator('summary').click()
    await expect.poll(() => listing.innerText()).toContain(expected!.data)
  })

  it('the page draws a part of a trace of 10,000 transactions and says so', async () => {
    const answer = largeTrace(10_000)
    await answerOf(walk.page, 'v3.traces', () => answer)
    await open('tx', 'ab'.repeat(32))
    await says(/10.000 transactions, the first 1.000 in the picture/)
    const nodes = walk.page.locator('.picture .node')
    // What is out of sight is not drawn.
    expect(await nodes.count()).toBeLessThan(200)
    await expect.poll(() => walk.page.locator('.picture .node[tabindex="0"]').count()).toBe(1)
    await walk.page.getByRole('button', { name: 'Draw more' }).click()
    await says(/the first 2.000 in the picture/)
    // The arrow keys lead on to what was not drawn before.
    await nodes.first().focus()
    const at = (): Promise<string | null> => walk.page.evaluate(() => document.activeElement?.getAttribute('data-hash') ?? null)
    const seen = new Set<string | null>()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', ...Array.from({ length: 12 }, () => 'ArrowDown')]) {
      const before = await at()
      await walk.page.keyboard.press(key)
      await expect.poll(at).not.toBe(before)
      seen.add(await at())
    }
    expect(seen.size).toBe(15)
    await walk.page.unrouteAll({ behavior: 'wait' })
  })

  it('the view of a trace that is too large tells of one transaction, and not of the success and the fees of all', async () => {
    const { actions } = await walk.service.call('v3.actions', { tx_hash: [walk.known.failed], limit: 1 })
    const [whole] = largeTrace(5_000).traces
    const { trace: _, transactions: __, ...rest } = whole!
    const many = Array.from({ length: 30 }, (_, i) => ({
      ...actions[0]!,
      action_id: String(i),
      transactions: [Buffer.from(walk.known.failed, 'hex').toString('base64')],
    }))
    const large = { ...rest, is_incomplete: true, warning: 'trace is too large', actions: many }
    await answerOf(walk.page, 'v3.traces', () => ({ traces: [large], address_book: {}, metadata: {} }))
    await open('tx', walk.known.mint)
    await says('too many transactions to be loaded in whole. Only the chosen transaction is shown', 'exit code 0')
    const card = (title: string) => walk.page.locator('.card', { has: walk.page.getByRole('heading', { name: title, exact: true }) })
    expect(await card('Actions').locator('header .badge').count()).toBe(0)
    expect(await card('Trace').getByText('Total fees', { exact: true }).count()).toBe(0)
    expect(await walk.page.locator('.picture').count()).toBe(0)
    // Whoever works with a keyboard goes on where the button was.
    await walk.page.getByRole('button', { name: 'Show more (5 left)' }).press('Enter')
    await expect.poll(() => walk.page.evaluate(() => document.activeElement?.textContent)).toBe('All 30 are shown.')
    // Each action leads to its transaction, since there is no picture that could.
    await card('Actions').locator('.what a').first().click()
    await says('one transaction failed', 'exit code 65535')
    await walk.page.unrouteAll({ behavior: 'wait' })
  })

  it('the picture of a trace that goes on stays where it is while blocks come', async () => {
    let count = 300
    await answerOf(walk.page, 'v3.traces', () => largeTrace(count, 'pending'))
    await open('tx', 'ac'.repeat(32))
    await says('300 transactions')
    // A button that can do no more keeps the focus.
    await walk.page.getByRole('button', { name: 'Larger' }).focus()
    for (let i = 0; i < 6; i++) await walk.page.keyboard.press('Enter')
    await expect.poll(() => walk.page.evaluate(() => document.activeElement?.getAttribute('aria-disabled'))).toBe('true')
    const at = (): Promise<unknown> =>
      walk.page.locator('.picture .frame').evaluate((frame) => [frame.scrollLeft, frame.scrollTop, frame.firstElementChild!.clientWidth])
    await walk.page.locator('.picture .frame').evaluate((frame) => frame.scrollTo(70, 900))
    const before = await at()
    count = 301
    await walk.service.call('local.mine', { count: 1 })
    await says('301 transactions')
    expect(await at()).toEqual(before)
    await walk.page.unrouteAll({ behavior: 'wait' })
  })
}
