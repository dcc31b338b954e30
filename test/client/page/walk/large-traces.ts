import { expect, it } from 'vitest'
import { largeTrace } from '../hostile.ts'
import { answerOf, go, type Walk } from './walk.ts'

/* Pictures of traces on a phone, of large ones, and of those that go on. */

export const largeTraces = (walk: Walk): void => {
  const { open, says } = walk

  it('on a phone the transactions of a trace stand one below the other, and it says what started them', async () => {
    const page = await walk.browser.newPage({ viewport: { width: 390, height: 900 } })
    const boxes = () =>
      page
        .locator('.picture .node rect')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()).map(({ x, y, right }) => ({ x, y, right })))
    await page.goto(`${walk.service.url}/#/tx/${walk.known.mint}`)
    await walk.whole(page)
    await expect.poll(async () => (await boxes()).length).toBe(3)
    const chain = await boxes()
    // A chain is straight, and all of it fits.
    expect(chain.map(({ x }) => x)).toEqual(chain.map(() => chain[0]!.x))
    expect(chain.toSorted((a, b) => a.y - b.y)).toEqual(chain)
    expect(chain[0]!.right).toBeLessThan(390)
    // The buttons stand below the text, which has all of its line.
    const [told, smaller] = await Promise.all([
      page.locator('.picture .tools .dim').boundingBox(),
      page.getByRole('button', { name: 'Smaller' }).boundingBox(),
    ])
    expect([told!.width > 300, smaller!.y >= told!.y + told!.height]).toEqual([true, true])
    expect(await page.locator('.picture .origin').textContent()).toBe('from oak.ton, injected ↓')
    expect((await page.locator('.picture .lines').getAttribute('d'))!.match(/M/g)).toHaveLength(4)
    // What one transaction caused stands to the right of it, where there are several.
    const wide = largeTrace(12)
    await answerOf(page, 'v3.traces', () => wide)
    await go(page, 'tx', 'ae'.repeat(32))
    await expect.poll(async () => (await boxes()).length).toBe(12)
    const [root, ...others] = await boxes()
    expect(others.every(({ x, y }) => x > root!.x && y > root!.y)).toBe(true)
    const frame = await page.locator('.picture .frame').evaluate((each) => [each.scrollWidth, each.clientWidth])
    expect(frame[0]).toBeLessThanOrEqual(frame[1]!)
    // The arrow keys go down the rows, and to the right to the first one that was caused.
    await page.locator('.picture .node').first().focus()
    const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute('data-hash') ?? null)
    const hashes = await page.locator('.picture .node').evaluateAll((all) => all.map((each) => each.getAttribute('data-hash')))
    for (const [key, at] of [
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
      ['ArrowLeft', 0],
      ['ArrowRight', 1],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(focused).toBe(hashes[at])
    }
    await page.unrouteAll({ behavior: 'wait' })
    await page.close()
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
    await says('too large to be loaded in whole. Only the chosen transaction is shown')
    await walk.unfold()
    await says('exit code 0')
    const card = (title: string) => walk.page.locator('.card', { has: walk.page.getByRole('heading', { name: title, exact: true }) })
    expect(await card('Actions').locator('header .badge').count()).toBe(0)
    for (const fact of ['Total fees', 'Balance changes']) expect(await card('Actions').getByText(fact, { exact: true }).count()).toBe(0)
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
