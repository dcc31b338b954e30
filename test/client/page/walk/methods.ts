import { expect, it } from 'vitest'
import type { Walk } from './walk.ts'

/* The methods of the service as a part of the page. */

export const methods = (walk: Walk): void => {
  const { says } = walk

  it('the page has the methods with their meaning, a form that sends them, and the call in three forms', async () => {
    await walk.open('methods')
    await says(/getAddressBalance\s+Balance of an account in nanograms\./, /v3\.transactions\s/)
    await says('token.picture')
    expect(await walk.text()).not.toContain('`')
    expect(await walk.page.locator('[title*="`"]').count()).toBe(0)
    const [intro, card] = await Promise.all(['p', '.card'].map((each) => walk.page.locator(`.chosen > ${each}`).first().boundingBox()))
    expect(card!.y - intro!.y - intro!.height).toBeGreaterThan(8)
    await walk.page.goto(`${walk.service.url}/docs#getAddressBalance`)
    await expect.poll(() => walk.page.url()).toBe(`${walk.service.url}/#/methods/getAddressBalance`)
    await walk.page.goto(`${walk.service.url}/local/docs#getAddressBalance`)
    await expect.poll(() => walk.page.url()).toBe(`${walk.service.url}/local/#/methods/getAddressBalance`)
    await says('changes nothing', 'GET or POST /api/v2/getAddressBalance', 'Try it', 'address', 'required', "curl -s '")
    await walk.page.getByRole('button', { name: 'now', exact: true }).click()
    await walk.page.getByRole('button', { name: 'Send' }).click()
    await says('answered')
    expect(JSON.parse(await walk.page.locator('.answer pre').innerText())).toMatch(/^\d+$/)
    await walk.page.getByRole('button', { name: 'TypeScript' }).click()
    await says('ton.getAddressBalance({')
    await walk.page.getByRole('searchbox', { name: 'Search methods' }).fill('jetton burns')
    await walk.page.getByRole('link', { name: 'v3.jetton.burns' }).click()
    await says('Errors', 'jetton_burns')
    await walk.page.getByRole('button', { name: 'JSON-RPC' }).click()
    await says('"method":"v3.jetton.burns"', /RATE_LIMITED\s+429\s+-32029\s+There were too many calls/)
    // Parameters that no example has are folded; those with few values are lists.
    await walk.open('methods', 'v3.transactions')
    await says(/More parameters \(\d+\)/, /account\s+list\b/, /limit\s+number\s+Maximum number/)
    expect(await walk.page.getByLabel('x_no_metadata').isVisible()).toBe(false)
    // Every error has its status and its code.
    await says(/INVALID_PARAMS\s+422\s+-32602\s+A parameter is missing/, '1 to 1000; less counts as 1')
    await walk.page.getByText('More parameters').click()
    expect(await walk.page.getByLabel('sort').locator('option').allInnerTexts()).toEqual(['default "desc"', 'asc', 'desc'])
    await walk.page.getByLabel('x_no_metadata').selectOption('true')
    await says('x_no_metadata=true')
    // The empty text of an example is a value: it asks for the first page. A field that is made empty is not given.
    await walk.page.getByRole('button', { name: 'by cursor' }).click()
    await says(/GET \/api\/v3\/transactions\b/, /transactions\?limit=2&cursor='/)
    const cursor = walk.page.getByLabel('cursor')
    expect([await cursor.inputValue(), await cursor.getAttribute('placeholder')]).toEqual(['', 'the empty text'])
    await walk.page.getByRole('button', { name: 'Send' }).click()
    await says(/"next_cursor": "[\w-]+"/)
    await cursor.fill('AAAA')
    await says("cursor=AAAA'")
    await cursor.fill('')
    await says("transactions?limit=2'")
    await walk.open('methods', 'local.mine')
    await says('makes a change', 'POST /jsonRPC')
    // The emulation refuses parameters with a status of its own.
    await walk.open('methods', 'emulate.trace')
    await says(/INVALID_PARAMS\s+400\s+-32602/)
    expect(await walk.text()).not.toMatch(/`|Asc or desc\.|True or false \(/)
  }, 120_000)

  it('no name of a method stands in what it does, however long it is', async () => {
    await walk.open('methods')
    await says('v3.staking.nominatorPools.validatorRewards', 'v3 · Staking')
    const over = await walk.page.locator('.method-groups').evaluateAll((groups) =>
      groups
        .flatMap((group) => [...group.querySelectorAll('dt')])
        .filter((dt) => dt.querySelector('a')!.getBoundingClientRect().right > dt.nextElementSibling!.getBoundingClientRect().left)
        .map((dt) => dt.textContent),
    )
    expect(over).toEqual([])
  })

  it('the list of methods keeps the name of a group in sight while its methods scroll by', async () => {
    await walk.open('methods', 'v3.transactions')
    // Without what was typed into the search of the list before.
    await walk.page.reload()
    await walk.whole(walk.page)
    // It fades at the upper edge too, once there is something above.
    const fade = (top: number): Promise<string> =>
      walk.page.locator('.method-list').evaluate((list, scrolled) => {
        list.scrollTop = scrolled
        return getComputedStyle(list, '::before').opacity
      }, top)
    await expect.poll(() => fade(0)).toBe('0')
    await expect.poll(() => fade(200)).toBe('1')
    const places = await walk.page.locator('.method-list').evaluate((list) => {
      const link = list.querySelector<HTMLElement>('[aria-current]')!
      list.scrollTop = link.offsetTop
      const topOf = (each: Element): number => Math.round(each.getBoundingClientRect().top)
      const search = list.querySelector('input')!.getBoundingClientRect()
      return { head: topOf(link.closest('section')!.querySelector('h2')!), search: Math.round(search.bottom), link: topOf(link) }
    })
    expect(places.link).toBeLessThan(places.search)
    expect(Math.abs(places.head - places.search)).toBeLessThanOrEqual(2)
  })
}
