import { expect, it } from 'vitest'
import { go, type Walk } from './walk.ts'

/** Views that show what goes over the wire: examples of methods. */
const WIRE_VIEWS = ['methods']

/** Forms that people do not read: raw addresses, and hashes in base64. */
const OTHER_FORMS = /-?\d+:[0-9a-fA-F]{64}|\b[A-Za-z0-9+/_-]{43}=/g

/** Addresses and hashes have one form on the whole page: addresses that of wallets, hashes hex. */
export const forms = (walk: Walk): void => {
  it('every view writes addresses as wallets show them and hashes in hex', async () => {
    const page = await walk.browser.newPage()
    await page.goto(`${walk.service.url}/`)
    const found: string[] = []
    for (const view of walk.views().filter(([name]) => !WIRE_VIEWS.includes(name ?? ''))) {
      await go(page, ...view)
      await walk.whole(page)
      const text = await page.locator('main').innerText()
      expect(text.length).toBeGreaterThan(50)
      found.push(...[...text.matchAll(OTHER_FORMS)].map(([form]) => `${view.join('/')}: ${form}`))
    }
    expect(found).toEqual([])
    await page.close()
  }, 120_000)
}
