import { execFileSync } from 'node:child_process'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, inBrowser, openBrowser } from '../../kit/service/browser.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'

/* A walk through the page in a real Chromium, over an embedded chain with transfers, jettons, NFTs and a failed message. */

const FRIEND = `0:${'77'.repeat(32)}`
/** An excess of jettons, which no jetton master takes. */
const EXCESS = 'te6cckEBAQEADgAAGNUydtsAAAAAAAAAAPfBmNw='

let service: V3Service
let browser: Browser
let page: Page
const complaints: string[] = []
/** Hosts that the page asked for anything. */
const hosts = new Set<string>()
const known = { wallet: '', jetton: '', item: '', collection: '', failed: '', mint: '' }

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

const seed = async (): Promise<void> => {
  const { wallets } = await service.call('local.wallets', {})
  const [owner, other] = wallets.map(({ address }) => address) as [string, string]
  await service.call('local.fund', { address: FRIEND, amount: '1234567890123' })
  const jetton = await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN', decimals: 6 })
  const mint = await service.call('local.mintJetton', { jetton: jetton.address, owner, amount: '123456789' })
  const collection = await service.call('local.deployCollection', { name: 'Leaves' })
  const item = await service.call('local.mintNft', { collection: collection.address, owner, name: 'Leaf 1' })
  const failed = await service.call('local.sendInternal', { from: other, to: jetton.address, amount: '50000000', body: EXCESS })
  Object.assign(known, { wallet: owner, jetton: jetton.address, item: item.address, collection: collection.address })
  Object.assign(known, { failed: hex(failed.transaction_id.hash), mint: hex(mint.transaction_id.hash) })
  await service.settle()
}

beforeAll(async () => {
  if (!browserPath) return
  execFileSync(process.execPath, ['server/build/page.mjs'])
  service = await startV3()
  await seed()
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
const search = async (typed: string): Promise<void> => {
  await page.getByRole('searchbox').fill(typed)
  await page.getByRole('searchbox').press('Enter')
}

describe.skipIf(!browserPath)(inBrowser('a walk through the page'), () => {
  it('begins with the head, the newest blocks and what happened', async () => {
    await open()
    await says('Masterchain block', 'up to date', 'basechain', 'Jetton mint', 'Acorn')
    expect(await page.locator('.connection').innerText()).toContain('local')
  })

  it('follows new blocks without being loaded again', async () => {
    const { block } = await service.call('local.mine', { count: 3 })
    await says(new RegExp(`Masterchain block\\s+${block.seqno}`))
    await expect.poll(() => page.locator('.connection').innerText(), { timeout: 15_000 }).toContain('live')
  })

  it('shows an account with its history, tokens, NFTs and a get-method that runs', async () => {
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

  it('shows a trace as a picture whose transactions are chosen by mouse and keyboard', async () => {
    await open('tx', known.mint)
    await says('Jetton mint', '3 transactions', 'exit code 0')
    expect(await page.locator('.picture .node').count()).toBe(3)
    const first = page.locator('.picture .node').first()
    await first.click()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')).toContain('jetton wallet')
    await says('Jetton internal transfer')
  })

  it('shows at a glance what failed, with its exit code and its bounce', async () => {
    await open('tx', known.failed)
    await says('one transaction failed', 'exit code 65535', 'a code of the contract itself', 'bounced')
    expect(await page.locator('.picture .node.failed').count()).toBe(1)
    expect(await page.locator('.picture .node.bounced').count()).toBe(1)
  })

  it('runs a transaction again and lists the steps of the TVM', async () => {
    await page.getByRole('button', { name: 'Run it again' }).click()
    await says(/\d+ steps/, 'SETCP')
  })

  it('shows a jetton with its holders, a collection with its items, and an NFT', async () => {
    await open('account', known.jetton, 'holders')
    await says('Acorn', 'Supply', 'Mintable', '123.4567')
    await open('account', known.collection, 'items')
    await says('Leaf 1')
    await open('account', known.item)
    await says('Leaf 1', 'Owner', 'Collection')
  })

  it('shows a block, the validators, and how to get back from nowhere', async () => {
    await open('block', '-1', '8000000000000000', '3')
    await says('Block 3', 'Root hash', 'Blocks that it commits')
    await open('validators')
    await says('Current cycle', 'Public key', '100 %')
    await open('nowhere', 'at', 'all')
    await says('There is no such page')
  })

  it('finds addresses, hashes, blocks and names, and says why it does not', async () => {
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
    await search('no-such-name.ton')
    await expect.poll(() => page.locator('#search-fault').innerText()).toContain('is not known')
  })

  it('funds accounts, mines, moves time and goes back to a snapshot', async () => {
    await open('workbench')
    await says('Funded wallets', 'v4R2')
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

  it('deploys and mints test tokens', async () => {
    const card = page.locator('section.card', { has: page.getByRole('heading', { name: 'Jetton', exact: true }) })
    await card.getByRole('button', { name: 'Deploy' }).click()
    await expect.poll(() => card.innerText(), { timeout: 30_000 }).toContain('Deployed')
    await card.getByLabel('Owner').fill(FRIEND)
    await card.getByRole('button', { name: 'Mint' }).click()
    await expect.poll(() => card.innerText(), { timeout: 30_000 }).toContain('Minted into')
  })

  it('asked no other host, and nothing in it broke', async () => {
    expect([...hosts]).toEqual([new URL(service.url).host])
    // A get-method that nobody has and a search that finds nothing are answers, not errors of the page.
    expect(complaints).toEqual([])
  })
})
