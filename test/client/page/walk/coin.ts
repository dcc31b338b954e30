import { expect, it } from 'vitest'
import { oldNames, oldNamesBeside } from '../../../kit/coin-name.ts'
import type { Walk } from './walk.ts'

/* The coin is called Gram in every view; test/coin-name.test.ts looks at what else people read. */

/** All that a view says: its text, folded parts too, and what stands in titles, labels and fields. */
const SAID = `[
  document.title,
  ...[...document.querySelectorAll('body *')].flatMap((each) => [
    ...[...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
    ...['title', 'aria-label', 'placeholder', 'alt', 'value'].map((name) => each.getAttribute(name) ?? ''),
  ]),
].filter((text) => text.trim() !== '').join('\\n')`

export const coin = (walk: Walk): void => {
  it('every view calls the coin Gram, and says once what it was called', async () => {
    let units = 0
    for (const view of walk.views()) {
      await walk.open(...view)
      await walk.whole(walk.page)
      // Folded parts are made when they are opened.
      await walk.page.locator('main details').evaluateAll((all) => {
        for (const each of all as HTMLDetailsElement[]) each.open = true
      })
      await walk.whole(walk.page)
      const texts = [await walk.page.evaluate<string>(SAID), await walk.page.locator('body').innerText()]
      expect([view, oldNamesBeside('formerly Toncoin', texts[0]!), oldNamesBeside('formerly Toncoin', texts[1]!)]).toEqual([view, [], []])
      units += texts[1]!.match(/\d\sGRAM\b/g)?.length ?? 0
    }
    expect(units).toBeGreaterThan(50)
    for (const name of ['getAddressBalance', 'local.fund', 'v3.walletStates', 'estimateFee']) {
      await walk.open('methods', name)
      await walk.whole(walk.page)
      expect([name, oldNames((await walk.text()).replaceAll('formerly Toncoin', ''))]).toEqual([name, []])
    }
  }, 120_000)
}
