import { execFileSync } from 'node:child_process'
import { Address } from '@ton/core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway } from '../../../server/start/start.ts'
import type { Tonway } from '../../../server/start/types.ts'
import { browserPath, inBrowser, openBrowser } from '../../kit/service/browser.ts'
import { Counter } from '../../start/counter.ts'

/* What contracts print, in the page. */

describe.skipIf(!browserPath)(inBrowser('texts of contracts in the page'), () => {
  let tonway: Tonway
  let browser: Browser
  beforeAll(async () => {
    execFileSync(process.execPath, ['server/build/page.mjs'])
    tonway = await startTonway({ index: true })
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await tonway?.close()
  })

  it('the steps of a transaction and the result of a get-method have what was printed', async () => {
    const { local } = tonway.client
    const { address, init } = new Counter(Address.parse(tonway.wallets[0]!.address))
    const [to, from] = [address.toRawString(), `0:${'55'.repeat(32)}`]
    const [code, data, body] = [init.code, init.data, Counter.increase(7)].map((cell) => cell.toBoc().toString('base64')) as [
      string,
      string,
      string,
    ]
    await local.setAccount({ address: to, balance: '1000000000', code, data })
    const { transaction_id } = await local.sendInternal({ from, to, amount: '50000000', body })
    await tonway.indexed()
    const page = await browser.newPage()
    await page.goto(`${tonway.url}/#/tx/${Buffer.from(transaction_id.hash, 'base64').toString('hex')}`)
    await page.getByRole('button', { name: 'Show the steps' }).click()
    await expect.poll(() => page.locator('main').innerText()).toMatch(/It printed:\s+(1\.\s+)?increase by\s+(2\.\s+)?s0 = 7/)
    await page.goto(`${tonway.url}/#/account/${to}/contract`)
    await page.getByText('Call by name').click()
    await page.getByLabel('Name or number').fill('below')
    await page.getByRole('button', { name: 'Add an argument' }).last().click()
    await page.locator('details[open] form input').last().fill('9')
    await page.getByRole('button', { name: 'Run' }).last().click()
    await expect.poll(() => page.locator('main').innerText()).toMatch(/It printed:\s+(1\.\s+)?s0 = 7\s+(2\.\s+)?it is below/)
  })
})
