import { Address, beginCell, external, internal, storeMessage } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { expect, it } from 'vitest'
import { friendlyOf } from '../../../../client/page/base/address.ts'
import { utcMoment } from '../../../../client/page/base/format.ts'
import { EMPTY_CELL } from '../../../../shared/samples.ts'
import { FRIEND } from '../scene.ts'
import type { Walk } from './walk.ts'

/* The workbench. */

export const workbench = (walk: Walk): void => {
  const { open, says } = walk

  it('the workbench funds accounts, mines, moves time and goes back to a snapshot', async () => {
    await open('workbench')
    await says('Funded wallets', 'v4R2', /UQ\w/, 'the words of both are public')
    // The choice of a wallet below tells it by its address.
    const named = walk.page.locator('main table .address', { hasText: 'oak.ton' })
    await expect.poll(() => named.innerText()).toMatch(/^oak\.ton UQ\w{4}…[\w-]{6}$/)
    expect(await walk.page.locator('main table .address').allInnerTexts()).not.toContainEqual(expect.stringMatching(/^EQ/))
    const card = (title: string) => walk.page.locator('section.card', { has: walk.page.getByRole('heading', { name: title, exact: true }) })
    await card('Snapshots').getByRole('button', { name: 'Take a snapshot' }).click()
    await expect.poll(() => card('Snapshots').innerText()).toMatch(/snapshot-1 at block/)
    // Fields for addresses offer the funded wallets, and say so.
    const to = card('Faucet').getByLabel('To', { exact: true })
    expect(await to.getAttribute('placeholder')).toContain('choose from the list')
    const offered = await to.evaluate((own) => [...(own as HTMLInputElement).list!.options].map(({ value, text }) => `${value} ${text}`))
    expect(offered).toContainEqual(expect.stringMatching(/^UQ[\w-]{46} funded wallet v4R2$/))
    const address = `0:${'99'.repeat(32)}`
    await card('Faucet').getByLabel('To', { exact: true }).fill(address)
    await card('Faucet').getByLabel('GRAM').fill('2.5')
    await card('Faucet').getByRole('button', { name: 'Give' }).click()
    await expect.poll(() => card('Faucet').innerText()).toContain('Given')
    expect(await walk.service.call('getAddressBalance', { address })).toBe('2500000000')
    await card('Time').getByRole('button', { name: '+1 hour' }).click()
    await expect.poll(() => card('Time').innerText()).toContain('The chain’s time is')
    // Ages are counted from the chain's clock: nothing that has happened is told as future.
    const lead = async (): Promise<string> => (await walk.page.locator('.connection .lead').allInnerTexts()).join()
    const { head } = (await (await fetch(`${walk.service.url}/status`)).json()) as { head: { utime: number } }
    // An hour more than before: another test may have moved the time as well.
    const hours = `chain clock ${Math.floor((head.utime - Date.now() / 1000) / 3600)}\u00a0h ahead`
    await expect.poll(lead).toBe(hours)
    await open()
    await says(/Last block\s+(now|\d+\s(s|min) ago)/)
    await expect.poll(() => walk.text()).not.toMatch(/\bin \d+\s(h|min|s)\b/)
    await open('workbench')
    await card('Faucet').getByLabel('To', { exact: true }).fill('nonsense')
    await card('Faucet').getByRole('button', { name: 'Give' }).click()
    await expect.poll(() => card('Faucet').locator('.fault .detail').innerText()).toMatch(/^This is not an address/)
    await card('Snapshots').getByRole('button', { name: 'Revert' }).first().click()
    await expect.poll(() => card('Snapshots').innerText()).toContain('again')
    await expect.poll(lead).not.toBe(hours)
    expect(await walk.service.call('getAddressBalance', { address })).toBe('0')
  })

  it("the lead of the chain's clock is the same however old the last block is", async () => {
    const page = await walk.browser.newPage()
    // The last block came days ago, and the chain is still ahead of the browser: its clock has gone on since.
    await page.route('**/status', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), head_age: 5 * 86_400 + 3_600 } })
    })
    await page.goto(`${walk.service.url}/`)
    await expect.poll(() => page.locator('.connection .lead').allInnerTexts()).toEqual(['chain clock 5\u00a0d ahead'])
    await page.unrouteAll({ behavior: 'wait' })
    await page.close()
  })

  it('the workbench sets an account, a configuration parameter and the time', async () => {
    const card = (title: string) => walk.page.locator('section.card', { has: walk.page.getByRole('heading', { name: title, exact: true }) })
    const address = `0:${'88'.repeat(32)}`
    await open('workbench')
    const account = card('Change an account')
    await account.getByLabel('Account', { exact: true }).fill(address)
    await account.getByRole('button', { name: 'Change' }).click()
    await expect.poll(() => account.innerText()).toContain('Give a balance, code or data')
    await account.getByLabel('Balance in GRAM').fill('12.5')
    await account.getByRole('button', { name: 'Change' }).click()
    await expect.poll(() => account.innerText()).toContain('changed in block')
    expect(await walk.service.call('getAddressBalance', { address })).toBe('12500000000')
    const config = card('Change the configuration')
    await config.getByLabel('Parameter', { exact: true }).fill('-77')
    await config.getByLabel('Value, as a BoC in base64').fill(EMPTY_CELL)
    await config.getByRole('button', { name: 'Change' }).click()
    await expect.poll(() => config.innerText()).toContain('Set before block')
    const numbers = async (): Promise<number[]> => (await walk.service.call('inspectConfig', {})).params.map(({ param }) => param)
    expect(await numbers()).toContain(-77)
    // The newest parameter of block.tlb: a registry of validators (46).
    const registry = beginCell().storeUint(0x3601163e, 32).storeUint(0x46n, 256).storeUint(3, 32).storeBit(true).storeUint(0xc0n, 256)
    await config.getByLabel('Parameter', { exact: true }).fill('46')
    await config.getByLabel('Value, as a BoC in base64').fill(registry.endCell().toBoc().toString('base64'))
    await config.getByRole('button', { name: 'Change' }).click()
    await expect.poll(numbers).toContain(46)
    await open('config')
    const shown = walk.page.locator('section.card', { hasText: 'parameter 46' })
    await expect
      .poll(() => shown.innerText())
      .toMatch(
        /Registry of validators and their collators[\s\S]*Contract address\s+\S+[\s\S]*Max collators per validator\s+3\s+New code hash\s/,
      )
    await open('workbench')
    await config.getByLabel('Parameter to remove').fill('-77')
    await config.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => config.innerText()).toContain('Removed before block')
    expect(await numbers()).not.toContain(-77)
  })

  it('the workbench takes the chain’s time in UTC, whatever the time zone of the reader', async () => {
    const tokyo = await walk.browser.newPage({ timezoneId: 'Asia/Tokyo' })
    await tokyo.goto(`${walk.service.url}/#/workbench`)
    const head = async (): Promise<number> =>
      ((await (await fetch(`${walk.service.url}/status`)).json()) as { head: { utime: number } }).head.utime
    const utime = (await head()) + 7_200
    const time = tokyo.locator('section.card', { has: tokyo.getByRole('heading', { name: 'Time', exact: true }) })
    const field = time.getByLabel('Chain time, in UTC')
    await field.fill('tomorrow')
    await time.getByRole('button', { name: 'Set the time' }).click()
    await expect.poll(() => time.innerText()).toContain('The time has to be written in UTC as 2026-11-23 08:00:00.')
    const typed = new Date(utime * 1000).toISOString().slice(0, 19).replace('T', ' ')
    await field.fill(typed)
    await time.getByRole('button', { name: 'Set the time' }).click()
    await expect.poll(() => time.innerText()).toMatch(/The chain’s time is 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
    await expect.poll(async () => (await time.innerText()).includes(`last block at ${utcMoment(await head())}`)).toBe(true)
    await expect.poll(async () => Math.floor(((await head()) - utime) / 3_600)).toBe(0)
    await tokyo.close()
  })

  it('the workbench deploys and mints test tokens', async () => {
    await open('workbench')
    const card = walk.page.locator('section.card', { has: walk.page.getByRole('heading', { name: 'Jetton', exact: true }) })
    await card.getByRole('button', { name: 'Deploy' }).click()
    await expect.poll(() => card.innerText()).toContain('Deployed')
    await card.getByLabel('Owner').fill(FRIEND)
    await card.getByRole('button', { name: 'Mint' }).click()
    await expect.poll(() => card.innerText()).toContain('Minted into')
    // The decimals are those of the jetton that is minted, whatever the form above it says.
    await card.getByLabel('Jetton', { exact: true }).fill(walk.known.jetton)
    await expect.poll(() => card.innerText()).toContain('In whole ACRN, which have 6 decimals')
    const owner = `0:${'6D'.repeat(32)}`
    await card.getByLabel('Owner').fill(owner)
    await card.getByLabel('Amount').fill('1000')
    await card.getByRole('button', { name: 'Mint' }).click()
    const minted = async (): Promise<unknown> =>
      (await walk.service.call('v3.jetton.wallets', { owner_address: [owner] })).jetton_wallets.map(({ balance }) => balance)
    await expect.poll(minted).toEqual(['1000000000'])
    await card.getByLabel('Jetton', { exact: true }).fill(walk.known.wallet)
    await expect.poll(() => card.innerText()).toContain('not Jetton or NFT')
  })

  it('the workbench mints an NFT, delivers a message, sends a BoC, mines, and has the words of the wallets', async () => {
    const card = (title: string) => walk.page.locator('section.card', { has: walk.page.getByRole('heading', { name: title, exact: true }) })
    await open('workbench')
    await card('NFTs').getByLabel('Name', { exact: true }).fill('Cones')
    await card('NFTs').getByRole('button', { name: 'Deploy a collection' }).click()
    await expect.poll(() => card('NFTs').innerText()).toContain('Deployed')
    const owner = `0:${'6E'.repeat(32)}`
    await card('NFTs').getByLabel('Owner').fill(owner)
    await card('NFTs').getByRole('button', { name: 'Mint an item' }).click()
    await expect.poll(() => card('NFTs').innerText()).toContain('Minted')
    const items = async (): Promise<number> => (await walk.service.call('v3.nft.items', { owner_address: [owner] })).nft_items.length
    await expect.poll(items).toBe(1)
    const to = `0:${'6F'.repeat(32)}`
    await card('Deliver a message').getByLabel('From').fill(FRIEND)
    await card('Deliver a message').getByLabel('To', { exact: true }).fill(walk.known.wallet)
    await card('Deliver a message').getByLabel('GRAM').fill('0.25')
    await card('Deliver a message').getByRole('button', { name: 'Deliver' }).click()
    await expect.poll(() => card('Deliver a message').innerText()).toContain('Delivered')
    await walk.service.settle()
    await open('account', walk.known.wallet)
    await expect.poll(() => walk.page.locator('.action').first().innerText()).toMatch(/0\.25\s+GRAM/)
    await open('workbench')
    const { keys, address } = await walk.service.faucet()
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    const seqno = Number((await walk.service.call('getWalletInformation', { address })).seqno ?? 0)
    const messages = [internal({ to: Address.parse(to), value: 1_000_000_000n, bounce: false })]
    const body = wallet.createTransfer({ seqno, secretKey: keys.secretKey, timeout: 4_000_000_000, messages })
    const message = beginCell()
      .store(storeMessage(external({ to: wallet.address, body })))
      .endCell()
    await card('Send a BoC').getByLabel('External message, as a BoC in base64').fill('nonsense')
    await card('Send a BoC').getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => card('Send a BoC').locator('[role=alert]').count()).toBe(1)
    await card('Send a BoC').getByLabel('External message, as a BoC in base64').fill(message.toBoc().toString('base64'))
    await card('Send a BoC').getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => card('Send a BoC').innerText()).toMatch(/Sent\.\s+[0-9a-f]{8}…/)
    await expect.poll(async () => Number(await walk.service.call('getAddressBalance', { address: to }))).toBeGreaterThan(999_000_000)
    const before = walk.service.tonway.app.network.chain.head().id.seqno
    await card('Blocks').getByLabel('Masterchain blocks').fill('5')
    await card('Blocks').getByRole('button', { name: 'Make blocks' }).click()
    await expect.poll(() => walk.service.tonway.app.network.chain.head().id.seqno).toBeGreaterThanOrEqual(before + 5)
    await card('Funded wallets').getByText('24 words').first().click()
    const { wallets } = await walk.service.call('local.wallets', {})
    await expect.poll(() => card('Funded wallets').innerText()).toContain(wallets[0]!.mnemonic.join(' '))
  })

  it('the workbench signs a transfer of a funded wallet and sends it, with its comment', async () => {
    await open('workbench')
    const card = walk.page.locator('section.card', { has: walk.page.getByRole('heading', { name: 'Send from a wallet', exact: true }) })
    const { wallets } = await walk.service.call('local.wallets', {})
    const to = `0:${'7A'.repeat(32)}`
    for (const [i, { address, version }] of wallets.slice(0, 2).entries()) {
      await card.getByLabel('Wallet').selectOption(address)
      expect(await card.getByLabel('Wallet').locator('option:checked').innerText()).toContain(version)
      await card.getByLabel(/^To/).fill(friendlyOf({ workchain: 0, hash: Buffer.from('7A'.repeat(32), 'hex') }, false))
      await card.getByLabel('Amount in GRAM').fill('0.75')
      await card.getByLabel('Comment').fill(`acorns ${version}`)
      // What would follow is shown before it is sent.
      const before = await walk.service.call('getAddressBalance', { address: to })
      await card.getByRole('button', { name: 'Preview' }).click()
      const preview = card.getByRole('region', { name: 'Preview' })
      await expect.poll(() => preview.innerText()).toMatch(/Nothing is sent[\s\S]*success[\s\S]*Total fees[\s\S]*Balance changes/)
      expect(await preview.innerText()).toContain(`acorns ${version}`)
      expect(await preview.locator('.changes').innerText()).toMatch(/−?0\.75/)
      expect(await walk.service.call('getAddressBalance', { address: to })).toBe(before)
      await card.getByRole('button', { name: 'Sign and send' }).click()
      await expect
        .poll(async () => Number(await walk.service.call('getAddressBalance', { address: to })))
        .toBeGreaterThan(749_000_000 * (i + 1))
      await card.getByText('Sent.').getByRole('link').click()
      await says('success', `acorns ${version}`, /started by an external message to/)
      await open('workbench')
    }
    // What cannot be paid is told beforehand.
    await card.getByLabel(/^To/).fill(to)
    await card.getByLabel('Amount in GRAM').fill('99999999999')
    await card.getByRole('button', { name: 'Preview' }).click()
    await expect.poll(() => card.innerText()).toContain('could not be carried out')
    // What cannot be signed or paid is told.
    await card.getByLabel(/^To/).fill('nonsense')
    await card.getByRole('button', { name: 'Sign and send' }).click()
    await expect.poll(() => card.innerText()).toContain('This is not an address')
    // Each form of a card with several says what it is for.
    for (const form of ['Deploy a new jetton', 'Mint units of a jetton', 'Deploy a new collection', 'Mint an item of a collection'])
      await walk.page.getByRole('form', { name: form }).getByRole('heading', { name: form }).waitFor()
  })

  it('the workbench says whether blocks are made, and has one button that changes it', async () => {
    await open('workbench')
    const card = walk.page.locator('section.card', { has: walk.page.getByRole('heading', { name: 'Blocks', exact: true }) })
    try {
      await card.getByRole('button', { name: 'Stop' }).click()
      await expect.poll(() => card.innerText()).toContain('Stopped: messages wait for')
      await walk.page.reload()
      await expect.poll(() => card.innerText()).toContain('Stopped: messages wait for')
      await card.getByRole('button', { name: 'Start' }).click()
      await expect.poll(() => card.innerText()).toMatch(/Messages get a block at once\. Blocks without .* TONWAY_BLOCK_TIME/)
      expect(await walk.service.call('local.setAutomine', {})).toEqual({ automine: true })
    } finally {
      await walk.service.call('local.setAutomine', { automine: true })
    }
  })
}
