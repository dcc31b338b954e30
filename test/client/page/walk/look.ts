import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { coinNamesOf } from './coin.ts'
import { otherForms } from './forms.ts'
import { answerOf, go, type Walk } from './walk.ts'

/* How every view looks: for people with a keyboard or a screen reader, at every width, and while data arrives. */

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']
/** In the dark only the colours differ, and these views have all of them. */
const DARK_RULES = ['color-contrast', 'link-in-text-block']
const DARK_VIEWS = ['', 'tx', 'workbench', 'methods']
/** Names of the pictures: the views of the walk, then an unknown account, an unknown transaction, and one whose steps are listed. */
const PICTURES = [
  ...['overview', 'wallet', 'wallet-transactions', 'wallet-tokens', 'wallet-nfts', 'wallet-contract', 'jetton-holders', 'collection-items'],
  ...['nft', 'trace', 'trace-failed', 'block', 'multisig', 'multisig-order', 'vesting', 'sale', 'nft-on-sale', 'username', 'domain'],
  ...['validators', 'configuration', 'workbench', 'method', 'unknown-account', 'unknown-transaction', 'steps'],
]
/** Layout shift of a view (the browser's own measure). Up to 0.1 counts as good. */
const MOST_SHIFT = 0.02

/** Adds up what the browser says of parts that moved without anybody's doing. */
const watchShifts = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const all: { value: number; what: string }[] = []
    Object.assign(window, { shifts: all })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[]
      })[]) {
        if (entry.hadRecentInput) continue
        const what = entry.sources.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.nodeName}.${node?.className} ${Math.round(previousRect.y)}>${Math.round(currentRect.y)} ${Math.round(previousRect.x)}>${Math.round(currentRect.x)}`,
        )
        all.push({ value: entry.value, what: what.join(', ') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

const takeShifts = (page: Page): Promise<{ value: number; what: string }[]> =>
  page.evaluate(() => (window as unknown as { shifts: { value: number; what: string }[] }).shifts.splice(0))

/** Whether the page is as wide as the window, its content as wide as its head, no table is wider than its card, and every row of links shows the present one. */
const fits = (page: Page): Promise<{ wide: boolean; narrow: boolean; cut: string[]; hidden: number; scrolled: number }> =>
  page.evaluate(() => ({
    wide: document.documentElement.scrollWidth > innerWidth,
    narrow:
      document.querySelector('main > .whole')!.getBoundingClientRect().right <
      document.querySelector('.top .bar > :last-child')!.getBoundingClientRect().right,
    cut: [...document.querySelectorAll('main .table')]
      .filter((table) => table.scrollWidth > table.clientWidth + 1)
      .map((table) => `${table.getAttribute('aria-label')}`),
    hidden: [...document.querySelectorAll('nav [aria-current]')]
      .filter((link) => link.checkVisibility())
      .map((link) => link.getBoundingClientRect())
      .filter(({ left, right }) => left < 0 || right > innerWidth).length,
    scrolled: scrollY,
  }))
const FITS = { wide: false, narrow: false, cut: [], hidden: 0, scrolled: 0 }

/** Rows after the first ones of lists whose rows are all made alike: blocks, fields of answers, methods, parameters of the configuration. */
const MORE_OF_THE_SAME = [
  'tbody tr:nth-child(n+7)',
  '.actions > li:nth-child(n+7)',
  '.tree > li:nth-child(n+7)',
  '.method-list section:not(:has([aria-current])) li:nth-child(n+3)',
  '.params-list > :nth-child(n+13)',
]

/** Says all serious faults that axe finds. */
const faultsOf = async (page: Page, place: 'main' | 'html', runOnly: readonly string[]): Promise<string[]> => {
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly, iframes: false, preload: false })
  const context = JSON.stringify({ include: [place], exclude: MORE_OF_THE_SAME })
  const { violations } = (await page.evaluate(`axe.run(${context}, ${options})`)) as AxeResults
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

export const look = (walk: Walk): void => {
  const { whole } = walk

  /** Opens every view at a width, checks that it fits and that nothing has moved, and calls `check`. */
  const seeAll = async (
    page: Page,
    width: number,
    check: (path: string, at: number, view: readonly string[]) => Promise<void>,
  ): Promise<void> => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${walk.service.url}/?width=${width}`)
    await whole(page)
    for (const [i, view] of walk.views().entries()) {
      const path = view.join('/')
      await go(page, ...view)
      await whole(page)
      expect([width, path, await fits(page)]).toEqual([width, path, FITS])
      const shifts = await takeShifts(page)
      // Where the machine was too slow, the view was shown before all of it was there.
      const isLate = (await page.locator('main .late').count()) > 0
      const moved = isLate ? 0 : shifts.reduce((sum, { value }) => sum + value, 0)
      expect(moved, `${path} at ${width}: ${JSON.stringify(shifts)}`).toBeLessThan(MOST_SHIFT)
      await check(path, i, view)
      // The browser tells of what the check has moved after the frame that shows it.
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(seen, 50)))))
      await takeShifts(page)
    }
  }

  it('every view fits phones and tablets from 360 pixels on, and nothing moves while its data arrives', async () => {
    const page = await walk.browser.newPage()
    await watchShifts(page)
    await seeAll(page, 360, async (path) => {
      for (const width of [768, 1000, 1080]) {
        await page.setViewportSize({ width, height: 900 })
        expect([width, path, await fits(page)]).toEqual([width, path, FITS])
      }
      await page.setViewportSize({ width: 360, height: 900 })
    })
    await page.close()
  }, 480_000)

  it('a phone shows the state of the connection and the blocks of a chain that is years old, and cuts nothing off', async () => {
    await walk.service.call('local.increaseTime', { seconds: 3_700 })
    await walk.service.call('local.mine', { count: 1 })
    await walk.service.settle()
    const page = await walk.browser.newPage({ viewport: { width: 360, height: 900 } })
    await answerOf(page, 'v3.blocks', (result) =>
      JSON.parse(JSON.stringify(result), (name, value) =>
        name === 'seqno' ? value + 88_000_000 : name === 'tx_count' ? 1_234 * (value % 2) : value,
      ),
    )
    await page.goto(`${walk.service.url}/?phone`)
    await whole(page)
    await page.unrouteAll({ behavior: 'wait' })
    expect(await page.getByRole('region', { name: 'Newest blocks' }).innerText()).toMatch(
      /88.000.\d{3}\s+base\s+1.234[\s\S]*88.000.\d{3}\s+master 88.000.\d{3}( to 88.000.\d{3})?[\s\S]*, empty\s+0\s/,
    )
    const cut = (): Promise<string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll('.connection, .table, .table td, .figure .value, .top .bar')]
          .filter((each) => each.scrollWidth > each.clientWidth + 1)
          .map((each) => `${each.className} ${each.textContent}`),
      )
    expect(await cut()).toEqual([])
    const states = ['blocks live', 'blocks up to date', 'no answer', 'connecting']
    expect(states).toContain(await page.locator('.connection .state').innerText())
    // The longest of the states, with a network and a clock ahead.
    for (const state of states) {
      await page.locator('.connection .state').evaluate((own, text) => {
        own.textContent = text
      }, state)
      expect([state, await cut()]).toEqual([state, []])
    }
    // The lead of the chain's clock is told once, in words.
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const leads = await page
        .locator('.lead')
        .evaluateAll((all) => all.filter((each) => each.checkVisibility()).map((each) => each.textContent))
      expect([width, leads]).toEqual([width, [expect.stringMatching(/^chain clock \d+\s(h|d|min) ahead$/)]])
      // Every view says by which clock it counts.
      expect(await page.locator('footer').innerText()).toMatch(/counted by the chain’s clock, which is \d+\s(h|d|min) ahead/)
    }
    await page.close()
  })

  // One visit for all of this: a view takes as long to be drawn as to be looked at.
  it('every view fits a wide window, nothing moves, nobody with a keyboard or a screen reader meets a serious fault in either scheme, addresses are written as wallets show them and hashes in hex, and the coin is called Gram, with what it was called once', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const context = await walk.browser.newContext({ bypassCSP: true, colorScheme: 'light' })
    const page = await context.newPage()
    await page.addInitScript(axe)
    await watchShifts(page)
    let amounts = 0
    const seeTexts = async (path: string, view: readonly string[]): Promise<void> => {
      expect([path, await otherForms(page, view)]).toEqual([path, []])
      const named = await coinNamesOf(page, whole)
      expect([path, named.others]).toEqual([path, []])
      amounts += named.amounts
    }
    await seeAll(page, 1440, async (path, i, view) => {
      // What stands around the views is the same on all of them.
      expect([path, await faultsOf(page, i === 0 ? 'html' : 'main', RULES)]).toEqual([path, []])
      if (DARK_VIEWS.includes(path.split('/')[0]!)) {
        await page.emulateMedia({ colorScheme: 'dark' })
        expect([path, 'dark', await faultsOf(page, 'html', DARK_RULES)]).toEqual([path, 'dark', []])
        await page.emulateMedia({ colorScheme: 'light' })
      }
      await seeTexts(path, view)
    })
    expect(amounts).toBeGreaterThan(50)
    await context.close()
  }, 480_000)

  /** For people to look at: `TONWAY_PICTURES=<folder>` makes them, and the one in README.md. */
  it.runIf(process.env['TONWAY_PICTURES'])(
    'pictures are made of every view in both schemes and two widths',
    async () => {
      const folder = process.env['TONWAY_PICTURES']!
      const views = [...walk.views(), ['account', `0:${'c1'.repeat(32)}`], ['tx', 'cd'.repeat(32)], ['tx', walk.known.failed]]
      expect(views.length).toBe(PICTURES.length)
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [390, 1440]) {
          const page = await walk.browser.newPage({ colorScheme, viewport: { width, height: 900 } })
          for (const [i, view] of views.entries()) {
            const name = PICTURES[i]!
            await page.goto(`${walk.service.url}/?picture=${i}#/${view.join('/')}`)
            await whole(page)
            if (name === 'steps') {
              await page.getByRole('button', { name: 'Show the steps' }).click()
              await page.getByRole('region', { name: 'Steps of the TVM' }).waitFor()
            }
            const file = `${String(i).padStart(2, '0')}-${name}-${width}-${colorScheme}.png`
            await page.screenshot({ path: join(folder, file), fullPage: true })
            if (name === 'trace' && width === 1440 && colorScheme === 'light')
              await page.screenshot({ path: 'test/client/page/page.png', clip: { x: 80, y: 0, width: 1280, height: 738 } })
          }
          await page.close()
        }
    },
    480_000,
  )
}
