import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../../server/base/version.ts'
import { methodNames, registry } from '../../../shared/registry.ts'
import { browserPath, inBrowser, openBrowser } from '../../kit/service/browser.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'

let tonway: Tonway
beforeAll(async () => {
  tonway = await startTonway({ blockTime: 0 })
})
afterAll(() => tonway?.close())

describe('/docs', () => {
  it('/docs is one file under a policy that allows nothing else', async () => {
    const answer = await fetch(`${tonway.url}/docs`)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const html = await answer.text()
    // Nothing is loaded from anywhere, and nothing needs what the policy forbids.
    expect(html).not.toMatch(/\b(src|href)="(https?:)?\/\//)
    expect(html).not.toMatch(/ on[a-z]+=| style=/)
    for (const name of methodNames.filter((each) => registry[each].needs !== 'index')) expect(html).toContain(`id="${name}"`)
  })

  it('/ and /openrpc.json lead to the documents and list the same methods', async () => {
    const page = await (await fetch(tonway.url, { headers: { Accept: 'text/html' } })).text()
    expect(page).toContain('href="docs?plain"')
    const openrpc = await (await fetch(`${tonway.url}/openrpc.json`)).json()
    const discovered = await fetch(`${tonway.url}/jsonRPC`, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}' })
    expect((await discovered.json()).result).toEqual(openrpc)
    // A client that reads the document alone knows where to call.
    expect(openrpc.servers).toMatchObject([{ url: `${tonway.url}/jsonRPC` }])
    expect(await (await fetch(`${tonway.url}/docs`)).text()).toMatch(new RegExp(`<small>local · ${VERSION} · API v2 2\\.2\\.`))
  })

  it.each([
    '/docs/',
    '/api/v2',
    '/api/v2/',
    '/api/v2/index.html',
    '/api/v3',
    '/api/v3/',
    '/api/v3/index.html',
  ])('%s leads to the documents', async (path) => {
    const answer = await fetch(`${tonway.url}${path}`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs'])
    const prefixed = await fetch(`${tonway.url}/local${path}`, { redirect: 'manual' })
    expect(prefixed.headers.get('location')).toBe('/local/docs')
    expect((await fetch(`${tonway.url}${path}`)).headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  it.skipIf(!browserPath)(inBrowser('sends calls and shows their answers'), async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      await page.goto(`${tonway.url}/docs?plain`)

      // Found by the filter, opened, filled by an example, sent by REST.
      await page.fill('#filter', 'balance')
      const card = page.locator('details#getAddressBalance')
      await card.locator('summary').click()
      expect(await page.locator('details#getShards').isVisible()).toBe(false)
      await card.locator('button.example').first().click()
      await card.locator('button.send').click()
      await card.locator('pre.answer').waitFor({ state: 'visible' })
      expect(JSON.parse((await card.locator('pre.answer').textContent())!)).toMatchObject({
        ok: true,
        result: expect.stringMatching(/^\d+$/),
      })
      expect(await card.locator('.told').textContent()).toMatch(/^200 in \d+ ms · request \S+$/)

      // The same by JSON-RPC, with a key that only the request's header has.
      await page.fill('#key', 'a-key')
      await card.locator('select.door').selectOption('RPC')
      const [request] = await Promise.all([page.waitForRequest('**/jsonRPC'), card.locator('button.send').click()])
      expect(await request.headerValue('x-api-key')).toBe('a-key')
      await page.fill('#key', '')
      await card.locator('button.send').click()
      await expect.poll(async () => (await card.locator('pre.answer').textContent()) ?? '').toContain('"jsonrpc": "2.0"')
      expect(await card.locator('pre.request').textContent()).toContain('getAddressBalance')

      // A refused parameter, shown as it came.
      await card.locator('input[name=address]').fill('<img src=x>')
      await card.locator('select.door').selectOption('POST')
      await card.locator('button.send').click()
      await expect.poll(async () => (await card.locator('.told').textContent()) ?? '').toMatch(/^422 /)
      expect(await page.locator('pre img').count()).toBe(0)

      // A list of values, a stack, and an anchor that opens its card.
      await page.fill('#filter', '')
      await page.goto(`${tonway.url}/docs?plain#runGetMethod`)
      const run = page.locator('details#runGetMethod')
      await run.locator('button.example').first().waitFor({ state: 'visible' })
      await run.locator('button.example').first().click()
      // Filled with a funded wallet of this chain: the get-method ends well.
      const body = '{"jsonrpc":"2.0","id":1,"method":"local.wallets"}'
      const { result } = await (await fetch(`${tonway.url}/jsonRPC`, { method: 'POST', body })).json()
      await expect.poll(() => run.locator('[name=address]').inputValue()).toBe(result.wallets[0].address)
      await run.locator('button.send').click()
      await expect.poll(async () => (await run.locator('.told').textContent()) ?? '').toMatch(/^200 /)
      expect(await run.locator('pre.answer').textContent()).toContain('"exit_code": 0')
      expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
