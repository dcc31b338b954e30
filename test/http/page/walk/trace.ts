import { expect, it } from 'vitest'
import { largeTrace } from '../hostile.ts'
import { type Asked, isCall, type Walk } from './walk.ts'

/* A trace as a picture. */

export const trace = (walk: Walk): void => {
  const { open, says } = walk

  it('a trace is shown as a picture whose transactions are chosen by mouse and keyboard', async () => {
    await open('tx', walk.known.mint)
    await says('Jetton mint', '3 transactions', 'exit code 0')
    expect(await walk.page.locator('.picture .node').count()).toBe(3)
    const first = walk.page.locator('.picture .node').first()
    await first.click()
    await walk.page.keyboard.press('ArrowRight')
    await expect.poll(() => walk.page.evaluate(() => document.activeElement?.textContent ?? '')).toContain('jetton wallet')
    await says('Jetton internal transfer')
  })

  it('the view of a trace shows at a glance what failed, with its exit code and its bounce', async () => {
    await open('tx', walk.known.failed)
    await says('one transaction failed', 'exit code 65535', 'a code of the contract itself', 'bounced')
    expect(await walk.page.locator('.picture .node.failed').count()).toBe(1)
    expect(await walk.page.locator('.picture .node.bounced').count()).toBe(1)
  })

  it('the view of a transaction runs it again and lists the steps of the TVM', async () => {
    await walk.page.getByRole('button', { name: 'Run it again' }).click()
    await says(/\d+ steps/, 'SETCP')
  })

  it('the page draws a part of a trace of 10,000 transactions and says so', async () => {
    const answer = largeTrace(10_000)
    await walk.page.route(isCall, async (route) => {
      const calls = JSON.parse(route.request().postData() ?? '[]') as Asked[]
      if (!Array.isArray(calls) || !calls.some(({ method }) => method === 'v3.traces')) return route.continue()
      await route.fulfill({
        json: calls.map(({ id, method }) => ({
          jsonrpc: '2.0',
          id,
          result: method === 'v3.traces' ? answer : { transactions: [], address_book: {} },
        })),
      })
    })
    await open('tx', 'ab'.repeat(32))
    await says(/10.000 transactions, the first 1.000 in the picture/, 'too large to be loaded in whole')
    const nodes = walk.page.locator('.picture .node')
    // What is out of sight is not drawn.
    expect(await nodes.count()).toBeLessThan(200)
    expect(await walk.page.locator('.picture .node[tabindex="0"]').count()).toBe(1)
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
    await walk.page.unroute(isCall)
  })
}
