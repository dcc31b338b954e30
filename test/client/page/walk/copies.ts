import { Address } from '@ton/core'
import { expect, it } from 'vitest'
import type { Walk } from './walk.ts'

/* What copy buttons put on the clipboard. */

export const copies = (walk: Walk): void => {
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
