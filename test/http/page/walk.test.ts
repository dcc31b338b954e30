import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Address, beginCell, external, internal, storeMessage } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { EMPTY_CELL } from '../../../shared/samples.ts'
import { browserPath, inBrowser, openBrowser } from '../../kit/service/browser.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { startTonway } from '../../kit/service/tonway.ts'
import { intruders, largeTrace, PAYLOADS, poison } from './hostile.ts'
import { FRIEND, type Known, makeScene } from './scene.ts'

/* A walk through the page in a real Chromium, over the embedded chain of scene.ts. */

let service: V3Service
let browser: Browser
let page: Page
const complaints: string[] = []
/** Hosts that the page asked for anything. */
const hosts = new Set<string>()
let known: Known

/** Views with what this chain has. */
const VIEWS = (): string[][] => [
  [],
  ['account', known.wallet],
  ['account', known.wallet, 'transactions'],
  ['account', known.wallet, 'tokens'],
  ['account', known.wallet, 'nfts'],
  ['account', known.wallet, 'contract'],
  ['account', known.jetton, 'holders'],
  ['account', known.collection, 'items'],
  ['account', known.item],
  ['tx', known.mint],
  ['tx', known.failed],
  ['block', '-1', '8000000000000000', '3'],
  ['account', known.multisig],
  ['account', known.order],
  ['account', known.vesting],
  ['account', known.sale],
  ['validators'],
  ['config'],
  ['workbench'],
  ['methods', 'v3.transactions'],
]

beforeAll(async () => {
  if (!browserPath) return
  execFileSync(process.execPath, ['server/build/page.mjs'])
  service = await startV3()
  known = await makeScene(service)
  browser = await openBrowser()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

const open = async (...parts: string[]): Promise<void> => {
  await page.goto(`${service.url}/#/${parts.join('/')}`)
}
const text = (): Promise<string> => page.locator('main').innerText()
/** Waits until the view says all of this. */
const says = async (...wanted: (string | RegExp)[]): Promise<void> => {
  for (const part of wanted) await expect.poll(text, { timeout: 30_000 }).toMatch(part)
}
/** Waits until a view has all that it loads. */
const whole = async (of: Page): Promise<void> => {
  await of.locator('main .card').first().waitFor({ timeout: 30_000 })
  await expect.poll(() => of.locator('.waiting').count(), { timeout: 30_000 }).toBe(0)
}
const search = async (typed: string): Promise<void> => {
  await page.getByRole('searchbox').fill(typed)
  await page.getByRole('searchbox').press('Enter')
}

describe.skipIf(!browserPath)(inBrowser('a walk through the page'), () => {
  it('the first view shows the head, the newest blocks and the newest actions', async () => {
    await open()
    await says('Masterchain block', 'up to date', 'basechain', 'Jetton mint', 'Acorn')
    expect(await page.locator('.connection').innerText()).toContain('local')
  })

  it('the first view follows new blocks without being loaded again', async () => {
    const { block } = await service.call('local.mine', { count: 3 })
    await says(new RegExp(`Masterchain block\\s+${block.seqno}`))
    await expect.poll(() => page.locator('.connection').innerText(), { timeout: 15_000 }).toContain('live')
  })

  it('the view of an account shows its history, tokens, NFTs and a get-method that runs', async () => {
    await open('account', known.wallet)
    await says('wallet v4r2', 'active', 'Jetton mint', '123.4567', 'ACRN')
    await page.getByRole('link', { name: 'Tokens' }).click()
    await says('Acorn', '123.4567')
    await page.getByRole('link', { name: 'NFTs' }).click()
    await says('Leaf 1', 'Leaves')
    await page.getByRole('link', { name: 'Transactions' }).click()
    await says('Fees', /[0-9a-f]{8}…[0-9a-f]{8}/)
    await page.getByRole('link', { name: 'Contract' }).click()
    await says('get_public_key', 'seqno')
    const seqno = page.locator('details.method', { hasText: 'seqno' }).first()
    await seqno.locator('summary').first().click()
    await seqno.getByRole('button', { name: 'Run' }).click()
    await says('exit code 0', 'success', /number\s+0/)
  })

  it('a list whose further pages were asked for keeps every row while the chain grows', async () => {
    for (let i = 0; i < 26; i++) await service.call('local.fund', { address: FRIEND, amount: '1000000' })
    await service.settle()
    await open('account', FRIEND, 'transactions')
    const rows = page.locator('main table tbody tr')
    const hashes = (): Promise<(string | null)[]> =>
      rows.locator('.hash a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(25)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(27)
    const before = await hashes()
    await service.call('local.fund', { address: FRIEND, amount: '1000000' })
    await service.settle()
    // The balance above the list is that of the new block; the list had as much time.
    await says(/234\.5948/)
    expect([new Set(before).size, await hashes()]).toEqual([27, before])
  })

  it('the page says that a view cannot be drawn, and other views still work', async () => {
    const isCall = (url: URL): boolean => url.pathname.endsWith('/jsonRPC')
    await page.route(isCall, async (route) => {
      const calls = JSON.parse(route.request().postData() ?? '[]') as { id: number; method: string }[]
      if (!Array.isArray(calls) || !calls.some(({ method }) => method === 'v3.transactions')) return route.continue()
      const result = { transactions: [{ hash: 'AA==' }], address_book: {}, next_cursor: null }
      await route.fulfill({ json: calls.map(({ id }) => ({ jsonrpc: '2.0', id, result })) })
    })
    await open('account', known.wallet, 'transactions')
    await says('This view could not be drawn', 'Try again')
    await page.unroute(isCall)
    await open()
    await says('Masterchain block')
  })

  it('a trace is shown as a picture whose transactions are chosen by mouse and keyboard', async () => {
    await open('tx', known.mint)
    await says('Jetton mint', '3 transactions', 'exit code 0')
    expect(await page.locator('.picture .node').count()).toBe(3)
    const first = page.locator('.picture .node').first()
    await first.click()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toContain('jetton wallet')
    await says('Jetton internal transfer')
  })

  it('the view of a trace shows at a glance what failed, with its exit code and its bounce', async () => {
    await open('tx', known.failed)
    await says('one transaction failed', 'exit code 65535', 'a code of the contract itself', 'bounced')
    expect(await page.locator('.picture .node.failed').count()).toBe(1)
    expect(await page.locator('.picture .node.bounced').count()).toBe(1)
  })

  it('the view of a transaction runs it again and lists the steps of the TVM', async () => {
    await page.getByRole('button', { name: 'Run it again' }).click()
    await says(/\d+ steps/, 'SETCP')
  })

  it('the page shows a jetton with its holders, a collection with its items, and an NFT', async () => {
    await open('account', known.jetton, 'holders')
    await says('Acorn', 'Supply', 'Mintable', '123.4567')
    await open('account', known.collection, 'items')
    await says('Leaf 1')
    await open('account', known.item)
    await says('Leaf 1', 'Owner', 'Collection')
  })

  it('the page shows pictures of tokens, loaded through the service alone', async () => {
    const drawn = (): Promise<number> =>
      page
        .locator('main img.token')
        .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth === 64).length)
    await open('account', known.wallet, 'nfts')
    await expect.poll(drawn, { timeout: 30_000 }).toBe(1)
    await open('account', known.jetton)
    await expect.poll(drawn, { timeout: 30_000 }).toBe(1)
    const sources = await page.locator('main img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src))
    expect(sources.every((source) => source.startsWith(`${service.url}/picture/`))).toBe(true)
  })

  it('a picture that the service refused for now is loaded once the service is back', async () => {
    const other = await browser.newPage()
    let refused = 0
    const isPicture = (url: URL): boolean => url.pathname.startsWith('/picture/')
    await other.route(isPicture, async (route) => {
      await route.fulfill({ status: 429 })
      refused += 1
    })
    await other.goto(`${service.url}/#/account/${known.jetton}`)
    await expect.poll(() => refused, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(await other.locator('main img.token').count()).toBe(0)
    await other.unroute(isPicture)
    await other.evaluate(() => dispatchEvent(new Event('online')))
    await other.locator('main img.token').first().waitFor({ timeout: 30_000 })
    await other.close()
  })

  it('an auction says whether it still runs, and what nobody has bid for yet', async () => {
    const isCall = (url: URL): boolean => url.pathname.endsWith('/jsonRPC')
    const { head } = (await (await fetch(`${service.url}/status`)).json()) as { head: { utime: number } }
    const auction = {
      ...{ end_flag: false, end_time: head.utime + 86_400, last_bid: '0', min_step: 5, mp_fee_factor: 5, mp_fee_base: 100 },
      ...{ royalty_fee_factor: 5, royalty_fee_base: 100, max_bid: '9000000000', min_bid: '3000000000', last_bid_at: 0, is_canceled: false },
    }
    let details: object = auction
    await page.route(isCall, async (route) => {
      const calls = JSON.parse(route.request().postData() ?? '[]') as { id: number; method: string }[]
      if (!Array.isArray(calls) || !calls.some(({ method }) => method === 'v3.nft.sales')) return route.continue()
      const result = { nft_sales: [{ type: 'getgems_auction', address: known.sale, details }], address_book: {}, metadata: {} }
      const response = await route.fetch()
      const answers = (await response.json()) as { id: number }[]
      const asked = new Set(calls.filter(({ method }) => method === 'v3.nft.sales').map(({ id }) => id))
      await route.fulfill({ response, json: answers.map((each) => (asked.has(each.id) ? { jsonrpc: '2.0', id: each.id, result } : each)) })
    })
    const shown = async (change: object, ...wanted: RegExp[]): Promise<void> => {
      details = { ...auction, ...change }
      await open()
      await open('account', known.sale)
      await says(...wanted)
    }
    await shown({}, /Auction of an NFT\s+auction/, /Highest bid\s+none yet/, /Least first bid\s+3 TON/, /Sold at once for\s+9 TON/)
    await shown({ end_time: head.utime - 86_400 }, /Auction of an NFT\s+ended/)
    await shown({ end_flag: true, is_canceled: true }, /Auction of an NFT\s+called off/)
    await page.unroute(isCall)
  })

  it('the page shows a multisig, its order, a vesting and a sale as what they are', async () => {
    await open('account', known.multisig)
    await says('Multisig', '2 of 3 sign', 'Proposers', '1 of 2 signed')
    await page.getByRole('region', { name: 'Orders' }).getByRole('link').first().click()
    await says('Order 0 of a multisig', '1 of 2 signed', 'What it does', 'rent', /Amount\s+1\.5\s+ACRN/, /Forward amount\s+0\.01\s+TON/)
    await open('account', known.vesting)
    await says('Vesting', /Locked now\s+750 TON/, /Total\s+1.000 TON/, 'Cliff ends', '30 days', 'Whitelist')
    const { head } = (await (await fetch(`${service.url}/status`)).json()) as { head: { utime: number } }
    const locked = { address: known.vesting, method: 'get_locked_amount', stack: [['num', String(head.utime)]] as ['num', string][] }
    expect((await service.call('runGetMethod', locked)).stack).toEqual([['num', `0x${(750_000_000_000).toString(16)}`]])
    await open('account', known.sale)
    await says('Sale of an NFT', 'for sale', 'Price', '2 TON', 'Leaf 2')
    await open('account', known.wallet, 'nfts')
    await says('on sale')
  })

  it('the page shows the configuration in words and numbers, and finds a parameter by them', async () => {
    await open('config')
    await says('Times of elections', 'Validators elected for', 'Gas on the basechain', 'nanotons for a unit of gas', 'Elector')
    const parameters = page.getByRole('searchbox', { name: 'Search parameters' })
    await parameters.fill('lump price')
    await expect.poll(() => page.locator('main .card').count()).toBe(2)
    // The words of the page and the names of block.tlb, at every level.
    for (const words of ['least total stake', 'min_total_stake', 'min_tot_rounds', 'least total rounds']) {
      await parameters.fill(words)
      await expect.poll(async () => [words, await page.locator('main .card').count()]).toEqual([words, 1])
    }
    expect(await page.locator('main dt[title="bit_price"]').count()).toBe(2)
    await says(/Bit price\s+\d[\d\s]* nanotons a second/)
    await parameters.fill('no such words')
    await says('No parameter has all of these words')
  })

  it('the page shows what was sent before it is in a block, and then that it is in one', async () => {
    await service.call('local.setAutomine', { automine: false })
    const { keys, address } = await service.faucet()
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    const seqno = Number((await service.call('getWalletInformation', { address })).seqno ?? 0)
    const transfer = wallet.createTransfer({
      seqno,
      secretKey: keys.secretKey,
      timeout: 4_000_000_000,
      messages: [internal({ to: Address.parse(FRIEND), value: 1_500_000_000n, bounce: false, body: 'before the block' })],
    })
    const message = external({ to: wallet.address, init: seqno === 0 ? wallet.init : undefined, body: transfer })
    const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
    const pending = (): Promise<number> => page.locator('.action', { hasText: 'pending' }).count()
    await open('account', address)
    await says('History')
    const { hash_norm } = await service.call('sendBocReturnHash', { boc })
    await expect.poll(pending, { timeout: 30_000 }).toBe(1)
    await says('before the block')
    await open('tx', Buffer.from(hash_norm, 'base64').toString('hex'))
    await says('in no block yet', '2 transactions')
    await service.call('local.setAutomine', { automine: true })
    await service.settle()
    await expect.poll(text, { timeout: 30_000 }).not.toContain('in no block yet')
    await says('complete', 'success')
    await open('account', address)
    await says('before the block')
    await expect.poll(pending, { timeout: 30_000 }).toBe(0)
  })

  it('the page shows a block, the validators, and a way back from an unknown address', async () => {
    await open('block', '-1', '8000000000000000', '3')
    await says('Block 3', 'Root hash', 'Blocks that it commits')
    await open('validators')
    await says('Current cycle', 'Public key', '100 %')
    await open('nowhere', 'at', 'all')
    await says('There is no such page')
  })

  it('the search finds addresses, hashes, blocks and names, and says why if it does not', async () => {
    await open()
    await search(known.jetton)
    await says('Acorn', 'Supply')
    await search(Buffer.from(known.mint, 'hex').toString('base64'))
    await says('3 transactions')
    await search('3')
    await says('Block 3')
    await search(`${known.jetton.slice(0, -1)}x`)
    await expect.poll(() => page.locator('#search-fault').innerText()).toContain('checksum')
    await search('<img src=x onerror=alert(1)>')
    await expect.poll(() => page.locator('#search-fault').innerText()).toContain('alice.ton')
    await search('OAK.ton')
    await says('oak.ton', 'wallet v4r2')
    await open()
    await search('no-such-name.ton')
    await expect.poll(() => page.locator('#search-fault').innerText()).toContain('is not known')
  })

  it('the workbench funds accounts, mines, moves time and goes back to a snapshot', async () => {
    await open('workbench')
    await says('Funded wallets', 'v4R2', /UQ\w/)
    expect(await page.locator('main table .address').allInnerTexts()).not.toContainEqual(expect.stringMatching(/^EQ/))
    const card = (title: string) => page.locator('section.card', { has: page.getByRole('heading', { name: title, exact: true }) })
    await card('Snapshots').getByRole('button', { name: 'Take a snapshot' }).click()
    await expect.poll(() => card('Snapshots').innerText()).toMatch(/snapshot-1 at block/)
    const address = `0:${'99'.repeat(32)}`
    await card('Faucet').getByLabel('To', { exact: true }).fill(address)
    await card('Faucet').getByLabel('TON').fill('2.5')
    await card('Faucet').getByRole('button', { name: 'Give' }).click()
    await expect.poll(() => card('Faucet').innerText()).toContain('Given')
    expect(await service.call('getAddressBalance', { address })).toBe('2500000000')
    await card('Time').getByRole('button', { name: 'An hour' }).click()
    await expect.poll(() => card('Time').innerText()).toContain('The next block is made at')
    await card('Faucet').getByLabel('To', { exact: true }).fill('nonsense')
    await card('Faucet').getByRole('button', { name: 'Give' }).click()
    await expect.poll(() => card('Faucet').innerText()).toContain('This is not an address')
    await card('Snapshots').getByRole('button', { name: 'Revert' }).first().click()
    await expect.poll(() => card('Snapshots').innerText(), { timeout: 30_000 }).toContain('again')
    expect(await service.call('getAddressBalance', { address })).toBe('0')
  })

  it('the workbench sets an account, a configuration parameter and the time', async () => {
    const card = (title: string) => page.locator('section.card', { has: page.getByRole('heading', { name: title, exact: true }) })
    const address = `0:${'88'.repeat(32)}`
    await open('workbench')
    const account = card('Change an account')
    await account.getByLabel('Account', { exact: true }).fill(address)
    await account.getByRole('button', { name: 'Change' }).click()
    await expect.poll(() => account.innerText()).toContain('Give a balance, code or data')
    await account.getByLabel('Balance in TON').fill('12.5')
    await account.getByRole('button', { name: 'Change' }).click()
    await expect.poll(() => account.innerText()).toContain('changed in block')
    expect(await service.call('getAddressBalance', { address })).toBe('12500000000')
    const config = card('Change the configuration')
    await config.getByLabel('Parameter', { exact: true }).fill('-77')
    await config.getByLabel('Value, as a BoC in base64').fill(EMPTY_CELL)
    await config.getByRole('button', { name: 'Change' }).click()
    await expect.poll(() => config.innerText()).toContain('Set before block')
    const numbers = async (): Promise<number[]> => (await service.call('inspectConfig', {})).params.map(({ param }) => param)
    expect(await numbers()).toContain(-77)
    await config.getByLabel('Parameter to remove').fill('-77')
    await config.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => config.innerText()).toContain('Removed before block')
    expect(await numbers()).not.toContain(-77)
  })

  it('the workbench takes the time of the next block in the time zone of the reader', async () => {
    const tokyo = await browser.newPage({ timezoneId: 'Asia/Tokyo' })
    await tokyo.goto(`${service.url}/#/workbench`)
    const head = async (): Promise<number> =>
      ((await (await fetch(`${service.url}/status`)).json()) as { head: { utime: number } }).head.utime
    const utime = (await head()) + 7_200
    const time = tokyo.locator('section.card', { has: tokyo.getByRole('heading', { name: 'Time', exact: true }) })
    await time.getByLabel('Time of the next block').fill(new Date((utime + 9 * 3_600) * 1000).toISOString().slice(0, 19))
    await time.getByRole('button', { name: 'Set the time' }).click()
    await expect.poll(() => time.innerText()).toContain('The next block is made at')
    await service.call('local.mine', { count: 1 })
    await expect.poll(async () => Math.floor(((await head()) - utime) / 3_600)).toBe(0)
    await tokyo.close()
  })

  it('the workbench deploys and mints test tokens', async () => {
    const card = page.locator('section.card', { has: page.getByRole('heading', { name: 'Jetton', exact: true }) })
    await card.getByRole('button', { name: 'Deploy' }).click()
    await expect.poll(() => card.innerText(), { timeout: 30_000 }).toContain('Deployed')
    await card.getByLabel('Owner').fill(FRIEND)
    await card.getByRole('button', { name: 'Mint' }).click()
    await expect.poll(() => card.innerText(), { timeout: 30_000 }).toContain('Minted into')
  })

  it('the page has the methods with their meaning, a form that sends them, and the call in three forms', async () => {
    await page.goto(`${service.url}/docs#getAddressBalance`)
    await expect.poll(() => page.url()).toBe(`${service.url}/#/methods/getAddressBalance`)
    await says('Try it', 'address', 'required', "curl -s '")
    await page.getByRole('button', { name: 'now', exact: true }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await says('answered')
    expect(JSON.parse(await page.locator('.answer pre').innerText())).toMatch(/^\d+$/)
    await page.getByRole('button', { name: 'client', exact: true }).click()
    await says('ton.getAddressBalance({')
    await page.getByRole('searchbox', { name: 'Search methods' }).fill('jetton burns')
    await page.getByRole('link', { name: 'v3.jetton.burns' }).click()
    await says('Errors', 'jetton_burns')
    await page.getByRole('button', { name: 'JSON-RPC' }).click()
    await says('"method":"v3.jetton.burns"')
  })

  it('the page has no serious fault for people with a keyboard or a screen reader, in both schemes', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const found: string[] = []
    /** Everything in the light; in the dark the colours of the views that have all of them, since nothing else differs. */
    const look = async (colorScheme: 'light' | 'dark'): Promise<void> => {
      const context = await browser.newContext({ bypassCSP: true, colorScheme, viewport: { width: 1280, height: 900 } })
      const other = await context.newPage()
      const views = colorScheme === 'light' ? VIEWS() : VIEWS().filter(([name = '']) => ['', 'tx', 'workbench', 'methods'].includes(name))
      const runOnly = colorScheme === 'light' ? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] : ['color-contrast', 'link-in-text-block']
      const options = { resultTypes: ['violations'], runOnly }
      for (const view of views) {
        await other.goto(`${service.url}/?axe=${view.length}#/${view.join('/')}`)
        await whole(other)
        const { violations } = (await other.evaluate(`${axe}; axe.run(${JSON.stringify(options)})`)) as AxeResults
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        found.push(
          ...serious.map(({ id, nodes }) => `${colorScheme} ${view.join('/')} ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`),
        )
      }
      await context.close()
    }
    await look('light')
    await look('dark')
    expect(found).toEqual([])
  }, 240_000)

  it('the page fits every width from 360 pixels on, without a horizontal scroll bar', async () => {
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      for (const view of VIEWS()) {
        await open(...view)
        await whole(page)
        expect([width, view, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)]).toEqual([width, view, true])
        const hidden = await page.locator('nav [aria-current]').evaluateAll(
          (links) =>
            links
              .filter((link) => link.checkVisibility())
              .filter((link) => {
                const { left, right } = link.getBoundingClientRect()
                return left < 0 || right > innerWidth
              }).length,
        )
        expect([width, view, hidden, await page.evaluate(() => scrollY)]).toEqual([width, view, 0, 0])
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  /** For people to look at: `TONWAY_PICTURES=<folder>` makes them, and the one in README.md. */
  it.runIf(process.env['TONWAY_PICTURES'])(
    'pictures are made of every view in both schemes and two widths',
    async () => {
      const folder = process.env['TONWAY_PICTURES']!
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [390, 1440]) {
          const other = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
          for (const [i, view] of VIEWS().entries()) {
            await other.goto(`${service.url}/?picture=${i}#/${view.join('/')}`)
            await whole(other)
            await other.screenshot({ path: join(folder, `${i}-${width}-${colorScheme}.png`), fullPage: true })
            if (i === 9 && width === 1440 && colorScheme === 'light')
              await other.screenshot({ path: 'test/http/page/page.png', clip: { x: 90, y: 0, width: 1260, height: 780 } })
          }
          await other.close()
        }
    },
    240_000,
  )

  it('the page shows what contracts say as text, whatever it is', async () => {
    expect(new Set(PAYLOADS).size).toBe(200)
    const other = await browser.newPage()
    other.on('dialog', (dialog) => void dialog.dismiss().then(() => complaints.push('a dialog')))
    other.on('pageerror', (error) => complaints.push(String(error)))
    other.on('request', (request) => hosts.add(new URL(request.url()).host))
    const clean = await poison(other)
    // Each round puts other payloads into each field.
    for (let round = 0; round < 2; round++)
      for (const view of VIEWS().filter(([name]) => name !== 'methods' && name !== 'workbench')) {
        await other.goto(`${service.url}/?round=${round}#/${view.join('/')}`)
        await other.locator('main .facts, main .tiles, main .actions, main table').first().waitFor({ timeout: 30_000 })
        await expect.poll(() => other.locator('.waiting').count(), { timeout: 30_000 }).toBe(0)
        expect([view, await intruders(other)]).toEqual([view, []])
      }
    await clean()
    await other.close()
  }, 120_000)

  it('the page draws a part of a trace of 10,000 transactions and says so', async () => {
    const isCall = (url: URL): boolean => url.pathname.endsWith('/jsonRPC')
    const answer = largeTrace(10_000)
    await page.route(isCall, async (route) => {
      const calls = JSON.parse(route.request().postData() ?? '[]') as { id: number; method: string }[]
      if (!Array.isArray(calls) || !calls.some(({ method }) => method === 'v3.traces')) return route.continue()
      await route.fulfill({
        json: calls.map(({ id, method }) => ({
          jsonrpc: '2.0',
          id,
          result: method === 'v3.traces' ? answer : { transactions: [], address_book: {} },
        })),
      })
    })
    await open('tx', 'ab'.repeat(32))
    await says(/10.000 transactions, 150 drawn/, 'too large to be loaded in whole')
    expect(await page.locator('.picture .node').count()).toBe(150)
    expect(await page.locator('.picture .node[tabindex="0"]').count()).toBe(1)
    await page.getByRole('button', { name: 'Draw more' }).click()
    await says('300 drawn')
    await page.unroute(isCall)
  })

  it('the page says that the service is gone, and goes on when it is back', async () => {
    await open()
    await says('Masterchain block')
    const before = complaints.length
    try {
      await page.context().setOffline(true)
      await says('The service does not answer')
      await page.context().setOffline(false)
      await expect.poll(text, { timeout: 30_000 }).not.toContain('The service does not answer')
    } finally {
      await page.context().setOffline(false)
      // The browser itself reports each request that failed meanwhile.
      complaints.splice(before, complaints.length, ...complaints.slice(before).filter((each) => !/ERR_INTERNET_DISCONNECTED/.test(each)))
    }
  })

  it('the page shows what there is where the index is off', async () => {
    await using plain = await startTonway({ blockTime: 0 })
    const { wallets } = await createClient({ url: plain.url }).local.wallets()
    await page.goto(plain.url)
    await says('The index is off here', /Index\s+off/)
    await page.goto(`${plain.url}/#/account/${wallets[0]!.address}`)
    await says('Balance', 'Newest transactions')
    // The page asks this service until it is left.
    await page.goto('about:blank')
    hosts.delete(new URL(plain.url).host)
  })

  it('the page says how far the index is behind, and that it has stopped', async () => {
    const isStatus = (url: URL): boolean => url.pathname.endsWith('/status')
    let index: object = { lag: 321 }
    await page.route(isStatus, async (route) => {
      const response = await route.fetch()
      const told = (await response.json()) as { index: object }
      await route.fulfill({ response, json: { ...told, index: { ...told.index, ...index } } })
    })
    await page.goto(`${service.url}/?behind#/`)
    await says('The index is 321 blocks behind')
    index = { error: 'the disk is full' }
    await says('The index has stopped: the disk is full')
    await page.unroute(isStatus)
  })

  it('the page leads from one network of the service to the other and back', async () => {
    await using both = await startTonway({
      network: ['local', 'second'],
      networks: { second: { kind: 'local', globalId: -77 } },
      blockTime: 0,
    })
    const connection = (): Promise<string> => page.locator('.connection').innerText()
    await page.goto(`${both.url}/`)
    await page.getByRole('link', { name: 'second' }).click()
    await expect.poll(() => page.url(), { timeout: 30_000 }).toBe(`${both.url}/second/`)
    await expect.poll(connection, { timeout: 30_000 }).toMatch(/second\s+(live|up to date)/)
    await page.getByRole('link', { name: 'Methods' }).click()
    await says('Choose a method')
    await page.getByRole('link', { name: 'local', exact: true }).click()
    await expect.poll(connection, { timeout: 30_000 }).toMatch(/local\s+(live|up to date)/)
    await page.goto('about:blank')
    hosts.delete(new URL(both.url).host)
  })

  it('the page asked no other host, and nothing in it broke', async () => {
    expect([...hosts]).toEqual([new URL(service.url).host])
    // A get-method that nobody has and a search that finds nothing are answers, not errors of the page.
    expect(complaints).toEqual([])
  })
})
