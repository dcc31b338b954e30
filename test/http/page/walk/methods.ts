import { Address } from '@ton/core'
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
    await says('"method":"v3.jetton.burns"', /RATE_LIMITED There were too many calls/)
    // Parameters that no example has are folded; those with few values are lists.
    await walk.open('methods', 'v3.transactions')
    await says(/More parameters \(\d+\)/, /account\s+list\b/, /limit\s+number\b/)
    expect(await walk.page.getByLabel('x_no_metadata').isVisible()).toBe(false)
    await walk.page.getByText('More parameters').click()
    expect(await walk.page.getByLabel('sort').locator('option').allInnerTexts()).toEqual(['default "desc"', 'asc', 'desc'])
    await walk.page.getByLabel('x_no_metadata').selectOption('true')
    await says('x_no_metadata=true')
    expect(await walk.text()).not.toMatch(/`|Asc or desc\.|True or false \(/)
  })

  it('copy buttons put the exact text on the clipboard: an address, a hash, an answer and a call', async () => {
    const context = await walk.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const other = await context.newPage()
    const copied = async (name: string): Promise<string> => {
      const button = (await other.getByRole('button', { name }).first().elementHandle())!
      // It says so for a moment, which a busy machine may miss: the browser itself watches for it.
      const said = button.evaluate(
        (own) =>
          new Promise<void>((done) =>
            new MutationObserver(() => own.getAttribute('aria-label') === 'Copied' && done()).observe(own, { attributes: true }),
          ),
      )
      await button.click()
      await said
      return other.evaluate(() => navigator.clipboard.readText())
    }
    await other.goto(`${walk.service.url}/#/account/${walk.known.jetton}`)
    await other.locator('main > .whole').waitFor()
    await other.getByText('Non-bounceable and raw').click()
    const raw = Address.parse(walk.known.jetton).toRawString()
    expect(await copied('Copy the raw address')).toBe(raw.replace(/[a-f]/g, (digit) => digit.toUpperCase()))
    expect(await copied('Copy the hash')).toMatch(/^[0-9a-f]{64}$/)
    await other.goto(`${walk.service.url}/#/methods/getMasterchainInfo`)
    await other.getByRole('button', { name: 'Copy the call' }).waitFor()
    expect(await copied('Copy the call')).toBe(`curl -s '${walk.service.url}/api/v2/getMasterchainInfo'`)
    await other.getByRole('button', { name: 'Send' }).click()
    await other.getByRole('button', { name: 'Copy the answer' }).waitFor()
    expect(JSON.parse(await copied('Copy the answer'))).toHaveProperty('last.seqno')
    await context.close()
  })
}
