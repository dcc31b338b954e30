import { Address, beginCell, external, internal, storeMessage } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { expect, it } from 'vitest'
import { FRIEND } from '../scene.ts'
import { type Asked, isCall, type Walk } from './walk.ts'

/* The overview, accounts, blocks, the configuration, the search, and what is in no block yet. */

export const views = (walk: Walk): void => {
  const { open, says, text, search, spelled } = walk

  it('the first view shows the head, the newest blocks and the newest actions', async () => {
    await open()
    await says('Masterchain block', 'up to date', 'basechain', 'Jetton mint', 'Acorn')
    expect(await walk.page.locator('.connection').innerText()).toContain('local')
  })

  it('the first view follows new blocks without being loaded again', async () => {
    const { block } = await walk.service.call('local.mine', { count: 3 })
    await says(new RegExp(`Masterchain block\\s+${block.seqno}`))
    await expect.poll(() => walk.page.locator('.connection').innerText()).toContain('live')
  })

  it('the view of an account shows its history, tokens, NFTs and a get-method that runs', async () => {
    await open('account', walk.known.wallet)
    await says('wallet v4r2', 'active', 'Jetton mint', /123\.4567\sACRN/)
    expect(await text()).not.toContain('Raw address')
    await walk.page.getByText('Bounceable and raw').click()
    await says(/Bounceable\s+EQ/, /Raw address\s+0:[0-9A-F]{64}/)
    await walk.page.getByRole('link', { name: 'Tokens' }).click()
    await says('Acorn', /123\.456789\sACRN/)
    await walk.page.getByRole('link', { name: 'NFTs' }).click()
    await says('Leaf 1', 'Leaves')
    await walk.page.getByRole('link', { name: 'Transactions' }).click()
    await says('Fees', /[0-9a-f]{8}…[0-9a-f]{8}/)
    await walk.page.getByRole('link', { name: 'Contract' }).click()
    await says('get_public_key', 'seqno')
    const seqno = walk.page.locator('details.method', { hasText: 'seqno' }).first()
    await seqno.locator('summary').first().click()
    await seqno.getByRole('button', { name: 'Run' }).click()
    await says('exit code 0', 'success', /number\s+0/)
    await seqno.getByText('Its instructions').click()
    await says(/\bCTOS\b/)
    for (const part of ['Instructions', 'Code as a BoC', 'Data as a BoC']) await walk.page.getByText(part, { exact: true }).click()
    await says('SETCP 0', 'DICTIGETJMPZ')
    await expect.poll(() => walk.page.locator('pre', { hasText: /^te6cc/ }).count()).toBe(2)
  })

  it('a list whose further pages were asked for keeps every row while the chain grows', async () => {
    const fund = () => walk.service.call('local.fund', { address: FRIEND, amount: '1000000' })
    await Promise.all(Array.from({ length: 26 }, fund))
    await walk.service.settle()
    await open('account', FRIEND, 'transactions')
    const rows = walk.page.locator('main table tbody tr')
    const hashes = (): Promise<(string | null)[]> =>
      rows.locator('.hash a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    await expect.poll(() => rows.count()).toBe(25)
    await walk.page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows.count()).toBe(27)
    const before = await hashes()
    await fund()
    await walk.service.settle()
    // The balance above the list is that of the new block; the list had as much time.
    await says(/234\.5948/)
    expect([new Set(before).size, await hashes()]).toEqual([27, before])
  })

  it('the page says that a view cannot be drawn, and other views still work', async () => {
    await walk.page.route(isCall, async (route) => {
      const calls = JSON.parse(route.request().postData() ?? '[]') as Asked[]
      if (!Array.isArray(calls) || !calls.some(({ method }) => method === 'v3.transactions')) return route.continue()
      const result = { transactions: [{ hash: 'AA==' }], address_book: {}, next_cursor: null }
      const lists = new Set(calls.filter(({ method }) => method === 'v3.transactions').map(({ id }) => id))
      const replies = (await (await route.fetch()).json()) as { readonly id: number }[]
      await route.fulfill({
        json: replies.map((reply) => (lists.has(reply.id) ? { jsonrpc: '2.0', id: reply.id, result } : reply)),
      })
    })
    await open('account', walk.known.wallet, 'transactions')
    await says('This view could not be drawn', 'Try again')
    await walk.page.unrouteAll({ behavior: 'wait' })
    await open()
    await says('Masterchain block')
  })

  it('the page shows the configuration in words and numbers, and finds a parameter by them', async () => {
    await open('config')
    await says('Times of elections', 'Validators elected for', 'Gas on the basechain', 'nanotons for a unit of gas', 'Elector')
    const parameters = walk.page.getByRole('searchbox', { name: 'Search parameters' })
    await parameters.fill('lump price')
    await expect.poll(() => walk.page.locator('main .card').count()).toBe(2)
    // The words of the page and the names of block.tlb, at every level.
    for (const words of ['min total stake', 'min_total_stake', 'min_tot_rounds', 'min total rounds']) {
      await parameters.fill(words)
      await expect.poll(async () => [words, await walk.page.locator('main .card').count()]).toEqual([words, 1])
    }
    expect(await walk.page.locator('main dt[title="bit_price"]').count()).toBe(2)
    await says(/Bit price\s+\d[\d\s]* nanotons a second/)
    // What is rounded has its exact value beside it.
    await parameters.fill('first frac')
    await says(/First share\s+33\.33 %\s+\(21.845.\/.65.?536\)/i)
    // Validators are a table in their parameter.
    await parameters.fill('public key')
    const validators = walk.page.getByRole('region', { name: 'Validators' })
    await expect.poll(() => validators.locator('tbody tr').count()).toBe(1)
    await expect.poll(() => validators.innerText()).toMatch(/1\s+[0-9a-f]{8}…[0-9a-f]{8}\s+100 %\s+[0-9a-f]{8}…/)
    // The set of validators with its total weight has nothing external.
    await parameters.fill('extended format')
    await says(/Extended format\s+yes/)
    await parameters.fill('no such words')
    await says('No parameter has all of these words')
  })

  it('the page shows what was sent before it is in a block, and then that it is in one', async () => {
    await walk.service.call('local.setAutomine', { automine: false })
    const { keys, address } = await walk.service.faucet()
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    const seqno = Number((await walk.service.call('getWalletInformation', { address })).seqno ?? 0)
    const transfer = wallet.createTransfer({
      seqno,
      secretKey: keys.secretKey,
      timeout: 4_000_000_000,
      messages: [internal({ to: Address.parse(FRIEND), value: 1_500_000_000n, bounce: false, body: 'before the block' })],
    })
    const message = external({ to: wallet.address, init: seqno === 0 ? wallet.init : undefined, body: transfer })
    const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
    const pending = (): Promise<number> => walk.page.locator('.action', { hasText: 'pending' }).count()
    await open('account', address)
    await says('History')
    const { hash_norm } = await walk.service.call('sendBocReturnHash', { boc })
    await expect.poll(pending).toBe(1)
    await says('before the block')
    await open('tx', Buffer.from(hash_norm, 'base64').toString('hex'))
    await says('in no block yet', '2 transactions')
    await walk.service.call('local.setAutomine', { automine: true })
    await walk.service.settle()
    await expect.poll(text).not.toContain('in no block yet')
    await says('finished', 'success')
    await open('account', address)
    await says('before the block')
    await expect.poll(pending).toBe(0)
    // What a wallet pays out is in its transactions, with its receiver.
    await walk.page.getByRole('link', { name: 'Transactions' }).click()
    const row = walk.page.locator('main table tbody tr', { hasText: 'external message' }).first()
    const cell = (name: string): Promise<string> => row.locator(`td[data-name="${name}"]`).innerText()
    await expect.poll(() => cell('Sent')).toMatch(/^−1\.(5|49\d+)\sTON$/)
    // The history calls it the same.
    expect([await cell('What'), await cell('From'), await cell('Received')]).toEqual(['Transfer', 'external message', ''])
    await expect.poll(() => row.locator('td[data-name="To"] a').getAttribute('title')).toBe(await spelled(FRIEND))
  })

  it('the history of an account names what was called, shows NFTs as what moved, and tells the coins of a deploy once', async () => {
    await open('account', walk.known.wallet)
    await says('Excess', 'NFT transfer', 'DNS change', /record “wallet”\s+→ oak\.ton/)
    await expect.poll(text).not.toMatch(/0x178d4519|0xd53276db/)
    const moved = walk.page.locator('.action', { hasText: 'NFT transfer' })
    expect(await moved.locator('.much').innerText()).toBe('“Leaf 2”')
    // What came in and what went out are told by more than colour.
    expect(await walk.page.locator('.action', { hasText: 'Excess' }).last().locator('.much').innerText()).toMatch(/^\+[\d.]+\sTON$/)
    const call = walk.page.locator('.action', { hasText: 'opcode 0x00000001' }).first()
    expect(await call.locator('.much').innerText()).toMatch(/^−0\.3\sTON$/)
    await open('account', walk.known.multisig)
    await says('Multisig order', 'Deploy', /Transfer/)
    // An order is agreed on. Nothing came in.
    expect(await walk.page.locator('.action', { hasText: 'Multisig order' }).first().locator('.mark').innerText()).toBe('•')
    expect(await walk.page.locator('.action', { hasText: 'Deploy' }).first().locator('.much').innerText()).toBe('')
    expect(await walk.page.locator('main h1').innerText()).toMatch(/^EQ\w+…/)
    await open('account', walk.known.collection)
    await says('“Leaves”', 'NFT collection')
    await expect.poll(() => walk.page.title()).toBe('“Leaves” · tonway')
  })

  it('the page shows a block, the validators, and a way back from an unknown address', async () => {
    await open('block', '-1', '8000000000000000', '3')
    await says(
      'Block 3',
      /Transactions\s+0 in the masterchain/,
      'There are none in the masterchain itself',
      /Root hash\s+[0-9a-f]{64}/,
      /Created by\s+[0-9a-f]{64}\s+public key of a validator/,
      'Shard blocks',
      'Previous block',
      'Next →',
    )
    await open('validators')
    await says('Current cycle', /Ends\s+no end is set/, /Masterchain\s+validated by 1 of 1 validator/, 'Public key', '100 %')
    await open('nowhere', 'at', 'all')
    await says('There is no such page')
  })

  it('the page says so where an account, a transaction or a block is not known, or is no such thing', async () => {
    await open('account', `0:${'c1'.repeat(32)}`)
    await says('there is no transaction of it yet', 'Nothing has happened here yet')
    // Coins that are sent there would come back from a bounceable address.
    await walk.page.getByText('Bounceable and raw').click()
    await says(/\sUQDBwcHB\w+\s/, /Bounceable\s+EQDBwcHB/)
    await open('account', 'nonsense')
    await says('This is not an address')
    await open('tx', 'cd'.repeat(32))
    await says('No transaction or message with this hash is known on this network')
    await open('tx', 'nonsense')
    await says('That did not work', 'hash')
    await open('block', '-1', '8000000000000000', '99999999')
    await says('This block is not in the index')
  })

  it('a new view is told to screen readers by the focus on its heading', async () => {
    const focused = (): Promise<string> =>
      walk.page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`)
    await open('config')
    await expect.poll(focused).toBe('H1 Configuration')
    await open('validators')
    await expect.poll(focused).toBe('H1 Validators')
    await search('3')
    await expect.poll(focused).toBe('H1 Block 3')
  })

  it('whoever types in the search box while a view loads keeps the focus', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await walk.page.route(isCall, async (route) => {
      await released
      await route.continue()
    })
    await open('validators')
    const box = walk.page.getByRole('searchbox', { name: /^Search: / })
    await box.click()
    await walk.page.keyboard.type('abc')
    release()
    await says('Current cycle')
    await walk.whole(walk.page)
    await walk.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await walk.page.keyboard.type('def')
    expect(await box.inputValue()).toBe('abcdef')
    await box.fill('')
    await walk.page.unrouteAll({ behavior: 'wait' })
  })

  it('the search finds addresses, hashes, blocks and names, and says why if it does not', async () => {
    await open()
    await search(walk.known.jetton)
    await says('Acorn', 'Supply')
    await search(Buffer.from(walk.known.mint, 'hex').toString('base64'))
    await says('3 transactions')
    await search('3')
    await says('Block 3')
    await search(`${walk.known.jetton.slice(0, -1)}x`)
    await expect.poll(() => walk.page.locator('#search-fault').innerText()).toContain('checksum')
    await search('<img src=x onerror=alert(1)>')
    await expect.poll(() => walk.page.locator('#search-fault').innerText()).toContain('alice.ton')
    await search('OAK.ton')
    await says('oak.ton', 'wallet v4r2')
    await open()
    await search('no-such-name.ton')
    await expect.poll(() => walk.page.locator('#search-fault').innerText()).toContain('is not known')
  })
}
