import { expect, it } from 'vitest'
import type { Walk } from './walk.ts'

/* The methods of the service as a part of the page. */

export const methods = (walk: Walk): void => {
  const { says } = walk

  it('the page has the methods with their meaning, a form that sends them, and the call in three forms', async () => {
    await walk.page.goto(`${walk.service.url}/docs#getAddressBalance`)
    await expect.poll(() => walk.page.url()).toBe(`${walk.service.url}/#/methods/getAddressBalance`)
    await says('Try it', 'address', 'required', "curl -s '")
    await walk.page.getByRole('button', { name: 'now', exact: true }).click()
    await walk.page.getByRole('button', { name: 'Send' }).click()
    await says('answered')
    expect(JSON.parse(await walk.page.locator('.answer pre').innerText())).toMatch(/^\d+$/)
    await walk.page.getByRole('button', { name: 'client', exact: true }).click()
    await says('ton.getAddressBalance({')
    await walk.page.getByRole('searchbox', { name: 'Search methods' }).fill('jetton burns')
    await walk.page.getByRole('link', { name: 'v3.jetton.burns' }).click()
    await says('Errors', 'jetton_burns')
    await walk.page.getByRole('button', { name: 'JSON-RPC' }).click()
    await says('"method":"v3.jetton.burns"')
  })
}
