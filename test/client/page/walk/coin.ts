import type { Page } from 'playwright-core'
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

/** What a view calls the coin otherwise, folded parts too, and how many amounts it shows. */
export const coinNamesOf = async (page: Page, whole: (of: Page) => Promise<void>): Promise<{ others: string[]; amounts: number }> => {
  // Folded parts are made when they are opened.
  const folded = await page.locator('main details:not([open])').elementHandles()
  const fold = (isOpen: boolean) =>
    Promise.all(folded.map((each) => each.evaluate((own, open) => (own as Element).toggleAttribute('open', open), isOpen)))
  await fold(true)
  await whole(page)
  const texts = [await page.evaluate<string>(SAID), await page.locator('body').innerText()] as const
  // The next view of the same account has them too.
  await fold(false)
  return {
    others: texts.flatMap((text) => oldNamesBeside('formerly Toncoin', text)),
    amounts: texts[1].match(/\d\sGRAM\b/g)?.length ?? 0,
  }
}

export const coin = (walk: Walk): void => {
  it('the views of methods call the coin Gram', async () => {
    for (const name of ['getAddressBalance', 'local.fund', 'v3.walletStates', 'estimateFee']) {
      await walk.open('methods', name)
      await walk.whole(walk.page)
      expect([name, oldNames((await walk.text()).replaceAll('formerly Toncoin', ''))]).toEqual([name, []])
    }
  })
}
