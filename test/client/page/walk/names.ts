import { setTimeout } from 'node:timers/promises'
import { Address } from '@ton/core'
import { expect, it } from 'vitest'
import { answerOf, go, type Walk } from './walk.ts'

/* Names that are auctioned, and items that are for sale, as the views of the items show them. */

export const names = (walk: Walk): void => {
  const { open, says } = walk

  it('the view of a username shows its auction: the highest bid, who made it, the min next bid and the end', async () => {
    await open('account', walk.known.username)
    await says(
      /Auction\s+open for bids/,
      /Owner\s+none yet: at auction/,
      /Highest bid\s+12 GRAM/,
      /Highest bidder\s+\S+…/,
      /Next bid at least\s+12\.6 GRAM/,
    )
    await says(/Ends at once with a bid of\s+500 GRAM/, /Ends\s+.*\(in \d+/)
    // Nothing is wrong with it.
    expect(await walk.page.locator('main .badge', { hasText: 'open for bids' }).getAttribute('class')).toBe('badge open')
  })

  it('the view of a .ton name shows its auction and where the name leads', async () => {
    await open('account', walk.known.name)
    await says(
      /Kinds\s+domain/,
      /Auction\s+open for bids/,
      /Highest bid\s+7 GRAM/,
      /Next bid at least\s+7\.35 GRAM/,
      // A day is not told as less by nearly an hour.
      /Ends\s+.*\(in \d+\s\w+ \d+\s\w+\)/,
      /Domain\s+Linked wallet\s+[EU]QCxsb…/,
    )
  })

  it('a name is the heading of its NFT, with the address beneath, and every view calls the NFT by it', async () => {
    const heading = (): Promise<string> => walk.page.locator('main .heading').innerText()
    await open('account', walk.known.username)
    await expect.poll(heading).toMatch(/^@oak\s+Telegram name\s+EQDV1dXV\w+$/s)
    await open('account', walk.known.name)
    await expect.poll(heading).toMatch(/^birch\.ton\s+domain\s+EQDi4uLi\w+$/s)
    await expect.poll(() => walk.page.title()).toBe('birch.ton · tonway')
    // The wallet has the same name as the NFT, which leads to it. Actions have metadata in their answer, transactions have none.
    for (const part of ['history', 'transactions']) {
      await open('account', walk.known.wallet, part)
      await says('oak.ton (NFT)', '“Leaf 2”')
      await walk.whole(walk.page)
      for (const item of [walk.known.sold, walk.known.item]) {
        const spelled = await walk.spelled(Address.parse(item).toRawString().toUpperCase())
        expect(await walk.text()).not.toContain(`${spelled.slice(0, 6)}…`)
      }
    }
  })

  it('a jetton wallet and a sale are called by what they do, on every view', async () => {
    const title = (): Promise<string> => walk.page.locator('main h1').innerText()
    await open('account', walk.known.jettonWallet)
    await expect.poll(title).toBe('ACRN wallet of oak.ton')
    // Any jetton can call its units so: the address of its minter stands beside the name.
    expect(await walk.page.locator('main .heading').innerText()).toContain(`minter ${await walk.short(walk.known.jetton)}`)
    await open('account', walk.known.sale)
    await expect.poll(title).toBe('Sale of “Leaf 2”')
    await open('account', walk.known.wallet)
    const put = walk.page.locator('.action', { hasText: 'NFT transfer' }).locator('.who')
    await expect.poll(() => put.innerText()).toMatch(/^oak\.ton\s+injected\s+→\s+sale of “Leaf 2”$/)
    // Transactions come without metadata.
    await open('account', walk.known.jetton, 'transactions')
    await says('ACRN wallet of oak.ton')
  })

  it('a name that the service did not know at first comes while its view is shown', async () => {
    const page = await walk.browser.newPage()
    await answerOf(page, 'v3.nft.sales', () => ({ nft_sales: [], address_book: {}, metadata: {} }))
    await page.goto(`${walk.service.url}/#/account/${walk.known.sale}`)
    await walk.whole(page)
    const title = (): Promise<string> => page.locator('main h1').innerText()
    expect(await title()).toMatch(/^EQ\w+…/)
    await page.unrouteAll({ behavior: 'wait' })
    await expect.poll(title).toBe('Sale of “Leaf 2”')
    await page.close()
  })

  it('a part of an account is shown when its names are there, so that no row grows afterwards', async () => {
    const page = await walk.browser.newPage()
    await page.goto(`${walk.service.url}/#/account/${walk.known.wallet}/contract`)
    await walk.whole(page)
    await answerOf(page, 'v3.metadata', async (result) => {
      await setTimeout(400)
      return result
    })
    await go(page, 'account', walk.known.wallet, 'transactions')
    // The rows are there, but are not seen yet.
    const rows = page.locator('.transfers tbody tr')
    await rows.first().waitFor({ state: 'attached' })
    expect(await rows.first().isVisible()).toBe(false)
    await rows.first().waitFor()
    // Where the machine was too slow, the part was shown before all of it was there.
    const isLate = (await page.locator('main .late').count()) > 0
    const shown = await page.locator('.transfers').innerText()
    if (!isLate) expect(shown).toContain('ACRN wallet of oak.ton')
    await page.unrouteAll({ behavior: 'wait' })
    await page.close()
  })

  it('tokens that look the same by name are told apart by their addresses, and only where both are in view', async () => {
    const { call } = walk.service
    const owner = `0:${'AB'.repeat(32)}`
    // Wide letters look nearly the same.
    const twin = await call('local.deployJetton', { name: 'Ａcorn', symbol: 'ACRN', decimals: 6 })
    for (const { address } of [twin, { address: walk.known.jetton }])
      await call('local.mintJetton', { jetton: address, owner, amount: '5000000' })
    await walk.service.settle()
    const addresses = await Promise.all(
      [twin.address, walk.known.jetton].map((address) => walk.spelled(Address.parse(address).toRawString().toUpperCase())),
    )
    const shorts = addresses.map((address) => `${address.slice(0, 6)}…${address.slice(-6)}`).sort()
    await open('account', owner)
    const minters = walk.page.locator('.action', { hasText: 'Jetton mint' }).locator('.who .tell')
    await expect.poll(async () => (await minters.allInnerTexts()).map((text) => text.trim()).sort()).toEqual(shorts)
    await open('account', owner, 'tokens')
    await expect
      .poll(async () => (await walk.page.locator('.token-name .tell').allInnerTexts()).map((text) => text.trim()).sort())
      .toEqual(shorts)
    // Wallets of one owner are called by their minters, where those call their units the same.
    await call('local.mintJetton', { jetton: twin.address, owner: walk.known.wallet, amount: '3000000' })
    await walk.service.settle()
    await open('account', walk.known.wallet, 'transactions')
    for (const short of shorts) await says(`ACRN ${short} wallet of oak.ton`)
    await open('account', twin.address, 'holders')
    await says('Holders', '5')
    await walk.whole(walk.page)
    expect(await walk.page.locator('main .tell').count()).toBe(0)
  })

  it('the sender stands before the receiver also where both names are in right-to-left letters', async () => {
    const { call } = walk.service
    const [{ address: from }, { address: to }] = [
      await call('local.deployJetton', { name: 'אבגאב', symbol: 'ABG', decimals: 2 }),
      await call('local.deployJetton', { name: 'דהודה', symbol: 'DHV', decimals: 2 }),
    ]
    await call('local.sendInternal', { from, to, value: '1000000000', bounce: false })
    await walk.service.settle()
    await open('account', to)
    const sides = walk.page.locator('.action', { hasText: 'אבגאב' }).locator('.who .address')
    await expect.poll(async () => (await sides.allInnerTexts()).map((text) => text.slice(1, 6))).toEqual(['אבגאב', 'דהודה'])
    const [sender, receiver] = await sides.evaluateAll((all) => all.map((side) => side.getBoundingClientRect()))
    expect(sender!.right).toBeLessThan(receiver!.left)
  })

  it('every row of a history and of a list of transactions has its age and its time of day', async () => {
    await walk.service.call('local.increaseTime', { seconds: 3_700 })
    await walk.service.settle()
    await open('account', walk.known.wallet)
    const times = walk.page.locator('.action', { hasText: 'Jetton mint' }).locator('time')
    await expect.poll(() => times.last().innerText()).toMatch(/^\d+\sh ago · \d\d:\d\d:\d\d$/)
    const zone = await walk.page.evaluate(() => new Date().toLocaleTimeString(undefined, { timeZoneName: 'short' }).split(' ').at(-1))
    expect(await walk.page.locator('.actions .day').first().innerText()).toMatch(new RegExp(`20\\d\\d, ${zone}$`))
    // The last transaction is told with its age.
    await says(/Last transaction\s+\d+\s\w+ ago\s+[0-9a-f]{8}…/)
    const formsOf = async (selector: string): Promise<string[]> => {
      const all = await walk.page.locator(selector).evaluateAll((times) => times.map((each) => (each as HTMLElement).innerText))
      return [
        ...new Set(
          all.map((each) =>
            each
              .replace(/\s+/g, ' ')
              .replace(/^(now|\d+ \w+ ago)/, 'age')
              .replace(/[\d:]{8}$/, 'clock'),
          ),
        ),
      ]
    }
    expect(await formsOf('.history time')).toEqual(['age · clock'])
    await open('account', walk.known.wallet, 'transactions')
    await walk.whole(walk.page)
    expect(await formsOf('.transfers time')).toEqual(['age · clock'])
    // As a table, its amounts need the room.
    await walk.page.setViewportSize({ width: 1300, height: 900 })
    expect(await formsOf('.transfers time')).toEqual(['age clock'])
    await walk.page.setViewportSize({ width: 390, height: 900 })
    expect(await formsOf('.transfers time')).toEqual(['age · clock'])
    await open('account', walk.known.wallet)
    await walk.whole(walk.page)
    expect(await formsOf('.history time')).toEqual(['clock'])
    // The lists of the first view have half of the window.
    await open()
    await walk.whole(walk.page)
    expect(await formsOf('.fitting time:visible')).toEqual(['age'])
    await walk.page.setViewportSize({ width: 1300, height: 900 })
    expect(await formsOf('.fitting time:visible')).toEqual(['age · clock'])
    // At every width each amount has all of its digits, and nothing is wider than the window.
    const amounts = (): Promise<string[]> =>
      walk.page.locator('.action .amount, .transfers .amount').evaluateAll((all) => all.map((each) => (each as HTMLElement).innerText))
    for (const view of [['account', walk.known.wallet, 'transactions'], ['account', walk.known.wallet], []] as const) {
      await open(...view)
      await walk.whole(walk.page)
      for (const width of [360, 390, 768, 1000, 1080, 1280, 1300]) {
        await walk.page.setViewportSize({ width, height: 900 })
        expect([width, view, (await amounts()).length > 0, (await amounts()).filter((each) => each.includes('…'))]).toEqual([
          width,
          view,
          true,
          [],
        ])
        expect(await walk.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
    }
    await says('Actions')
    await walk.page.setViewportSize({ width: 1280, height: 900 })
  })

  it('a list of transactions has the date and the time zone of what is older than a day, at every width', async () => {
    const page = await walk.browser.newPage()
    await page.clock.setFixedTime(Date.now() + 100 * 86_400_000)
    await page.goto(`${walk.service.url}/?old#/account/${walk.known.wallet}/transactions`)
    await walk.whole(page)
    for (const width of [360, 390, 1080, 1300]) {
      await page.setViewportSize({ width, height: 900 })
      const times = await page.locator('.transfers time').evaluateAll((all) => all.map((each) => (each as HTMLElement).innerText))
      expect([width, times.length > 0, times.filter((each) => !/^\w+ \d+, 20\d\d( · |\s+)\d\d:\d\d:\d\d \S+$/.test(each))]).toEqual([
        width,
        true,
        [],
      ])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await page.close()
  })

  it('an NFT that only calls itself a name is not called by it', async () => {
    const claim = (key: string, value: unknown) =>
      key === 'token_info' ? [{ type: 'nft_items', name: 'alice.ton', extra: { domain: 'alice.ton' } }] : value
    await answerOf(walk.page, 'v3.accountStates', (result) => JSON.parse(JSON.stringify(result), claim))
    await open()
    await open('account', walk.known.item)
    await expect.poll(() => walk.page.locator('main h1').innerText()).toMatch(/^EQ\w+…/)
    await walk.page.unrouteAll({ behavior: 'wait' })
    // What it calls itself is told as its own word.
    await answerOf(walk.page, 'v3.nft.items', (result) => JSON.parse(JSON.stringify(result), claim))
    await open()
    await open('account', walk.known.item)
    await says(/Calls itself\s+alice\.ton/)
    await walk.page.unrouteAll({ behavior: 'wait' })
  })

  it('an item whose text cannot be a name is shown as any other item', async () => {
    for (const text of [`${'b'.repeat(600)}.ton`, 'birch\0.ton']) {
      await answerOf(walk.page, 'v3.nft.items', (result) =>
        JSON.parse(JSON.stringify(result).replaceAll('"birch.ton"', JSON.stringify(text))),
      )
      await open()
      await open('account', walk.known.name)
      await says('Owner', 'Index', 'Content', 'History')
      await walk.whole(walk.page)
      expect(await walk.text()).not.toContain('That did not work')
      await walk.page.unrouteAll({ behavior: 'wait' })
    }
  })

  it('the view of an item that is for sale shows its price, its seller and the contract that sells it', async () => {
    await open('account', walk.known.sold)
    await says(
      /Owner\s+oak\.ton\s+Held by\s+sale of “Leaf 2”\s+on sale/,
      /Sale\s+on sale\s+Price\s+2 GRAM\s+Seller gets\s+1\.85 GRAM\s+→ oak\.ton/,
      'Contract',
    )
  })
}
