import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { go, isCall, type Walk } from './walk.ts'

/* Numbers of contracts and of answers that no sane chain has. */

const LARGEST = (2n ** 256n - 1n).toString()
/** Amounts, which contracts choose. */
const AMOUNTS =
  /^(balance|total_supply|amount|value|full_price|marketplace_fee|royalty_amount|last_bid|min_bid|max_bid|next_item_index|index|threshold)$/
/** Times, which contracts choose too: the end of an auction, of an order, of a vesting. */
const TIMES = /^(end_time|expiration_date|vesting_start_time|vesting_total_duration|unlock_period|cliff_duration)$/
const LARGEST_TIME = 2 ** 48

/** Puts the largest numbers in the place of those that contracts choose. `sign`: what stands before amounts. */
const inflate = (page: Page, sign: '' | '-'): Promise<unknown> =>
  page.route(isCall, async (route) => {
    const response = await route.fetch()
    const json = JSON.parse(await response.text(), (key, value) => {
      if (AMOUNTS.test(key) && typeof value === 'string' && /^\d+$/.test(value)) return sign + LARGEST
      if (key === 'decimals') return '255'
      return TIMES.test(key) && value !== null && typeof value !== 'object' ? LARGEST_TIME : value
    })
    await route.fulfill({ response, json })
  })

export const absurdNumbers = (walk: Walk): void => {
  it('the page shows numbers of any size in words that fit a phone, and every view is drawn', async () => {
    const page = await walk.browser.newPage({ viewport: { width: 360, height: 900 } })
    page.on('pageerror', (error) => walk.complaints.push(String(error)))
    for (const sign of ['', '-'] as const) {
      await inflate(page, sign)
      await page.goto(`${walk.service.url}/?absurd=${sign}#/`)
      const views = walk.views().filter(([name]) => name === 'account' || name === 'tx' || name === undefined)
      // A sign is written by the same code on every view.
      for (const view of sign === '' ? views : views.slice(0, 4)) {
        await go(page, ...view)
        await walk.whole(page)
        const text = await page.locator('main').innerText()
        expect([view, text.match(/could not be drawn|NaN|undefined|Infinity|Invalid Date/)?.[0]]).toEqual([view, undefined])
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        expect([view, tooWide]).toEqual([view, false])
      }
      await page.unrouteAll({ behavior: 'wait' })
    }
    await page.close()
  }, 480_000)
}
