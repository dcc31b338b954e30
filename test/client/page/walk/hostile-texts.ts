import { expect, it } from 'vitest'
import { intruders, PAYLOADS, poison } from '../hostile.ts'
import { go, type Walk } from './walk.ts'

/* Texts of contracts that try to be more than texts. */

export const hostileTexts = (walk: Walk): void => {
  it('the page shows what contracts say as text, whatever it is', async () => {
    expect(new Set(PAYLOADS).size).toBe(200)
    const other = await walk.browser.newPage()
    other.on('dialog', (dialog) => void dialog.dismiss().then(() => walk.complaints.push('a dialog')))
    other.on('pageerror', (error) => walk.complaints.push(String(error)))
    other.on('request', (request) => walk.hosts.add(new URL(request.url()).host))
    const clean = await poison(other)
    await other.goto(`${walk.service.url}/?hostile#/`)
    // All views but those without texts of contracts.
    for (const view of walk.views().filter(([name = '']) => !['methods', 'workbench'].includes(name))) {
      await go(other, ...view)
      await other.locator('main .facts, main .tiles, main .actions, main table').first().waitFor()
      await walk.whole(other)
      expect([view, await intruders(other)]).toEqual([view, []])
    }
    await clean()
    await other.close()
  }, 480_000)
}
