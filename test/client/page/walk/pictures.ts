import { expect, it } from 'vitest'
import { isCall, type Walk } from './walk.ts'

/* Pictures of tokens. */

export const pictures = (walk: Walk): void => {
  const { open } = walk

  it('the page shows pictures of tokens, loaded through the service alone', async () => {
    const drawn = (): Promise<number> =>
      walk.page
        .locator('main img.token')
        .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth === 64).length)
    await open('account', walk.known.wallet, 'nfts')
    await expect.poll(drawn).toBe(1)
    await open('account', walk.known.jetton)
    await expect.poll(drawn).toBe(1)
    const sources = await walk.page.locator('main img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src))
    expect(sources.every((source) => source.startsWith(`${walk.service.url}/picture/`))).toBe(true)
  })

  it('a picture that the service refused for now is loaded once the service is back', async () => {
    const other = await walk.browser.newPage()
    let refused = 0
    const isPicture = (url: URL): boolean => url.pathname.startsWith('/picture/')
    await other.route(isPicture, async (route) => {
      await route.fulfill({ status: 429 })
      refused += 1
    })
    await other.goto(`${walk.service.url}/#/account/${walk.known.jetton}`)
    await expect.poll(() => refused).toBeGreaterThan(0)
    expect(await other.locator('main img.token').count()).toBe(0)
    await other.unrouteAll({ behavior: 'wait' })
    await other.evaluate(() => dispatchEvent(new Event('online')))
    await other.locator('main img.token').first().waitFor()
    await other.close()
  })

  it('with a key, pictures are asked for with the key and shown as data, and a wrong key is told', async () => {
    const store = await walk.service.tonway.app.access.store!()
    const { key } = await store.create({ network: 'local', plan: 'advanced', owner: 'the walk' })
    const context = await walk.browser.newContext()
    const other = await context.newPage()
    const asked: (string | undefined)[] = []
    other.on('request', (request) => new URL(request.url()).pathname.startsWith('/picture/') && asked.push(request.headers()['x-api-key']))
    const useKey = async (typed: string): Promise<void> => {
      await other.locator('details.key summary').click()
      await other.getByLabel('API key').fill(typed)
      await Promise.all([other.waitForEvent('load'), other.getByRole('button', { name: 'Use it' }).click()])
    }
    await other.goto(`${walk.service.url}/#/account/${walk.known.jetton}`)
    await walk.whole(other)
    // An embedded chain needs none, unless it has limits.
    expect(await other.locator('details.key').count()).toBe(0)
    await other.route(isCall, (route) =>
      route.fulfill({ status: 429, json: { jsonrpc: '2.0', id: null, error: { code: 429, message: 'too many' } } }),
    )
    await other.reload()
    await other.locator('details.key').waitFor()
    await other.unrouteAll({ behavior: 'wait' })
    await useKey(key)
    await other.locator('main img.token[src^="data:image/png;base64,"]').first().waitFor()
    expect(asked).toContain(key)
    // The key is kept for this tab alone.
    const kept = () => other.evaluate(() => [localStorage, sessionStorage].map((storage) => JSON.stringify({ ...storage })))
    expect((await kept()).map((all) => all.includes(key))).toEqual([false, true])
    expect((await context.cookies()).length).toBe(0)
    await useKey(`${key.slice(0, -4)}0000`)
    await expect.poll(() => other.locator('main').innerText()).toContain('The API key is not accepted')
    await context.close()
  })
}
