import { Address } from '@ton/core'
import { expect, it } from 'vitest'
import { replaceTokenFlags } from '../../../../server/network/replace-token-flags.ts'
import { accountKey } from '../../../../server/store/row-keys.ts'
import { sleep } from '../../../kit/wait.ts'
import { FRIEND } from '../scene.ts'
import { type Asked, answerOf, isCall, type Walk } from './walk.ts'

/* Tokens, sales, multisigs and vestings. */

export const tokens = (walk: Walk): void => {
  const { open, says } = walk

  it('the page shows a jetton with its holders, a jetton wallet, a collection with its items, and an NFT', async () => {
    await open('account', walk.known.jetton, 'holders')
    await expect.poll(() => walk.page.locator('main h1').innerText()).toBe('“Acorn” ACRN')
    // The coins of its contract are no property of the jetton.
    expect(await walk.page.locator('.balance').allInnerTexts()).toEqual([expect.stringMatching(/ACRN$/)])
    // The heading has said the symbol.
    await says('Contract balance', 'Decimals')
    expect(await walk.text()).not.toMatch(/Symbol/)
    await says('Supply', /Holders\s+\d/, 'Mintable', '123.456789', 'Share', /\d %/)
    await open('account', walk.known.jettonWallet)
    await says(/Jetton wallet\s+Holds\s+123\.456789 ACRN/, 'Owner')
    await open('account', walk.known.collection, 'items')
    await says(/“Leaves”\s+NFT collection/, /Items\s+2/, '“Leaf 1”')
    await open('account', walk.known.item)
    await says(/“Leaf 1”\s+NFT item/, 'Owner', 'Collection', /Image\s+PNG, stored on chain/)
    // The heading has the name; the card has the picture, large enough to be seen.
    const card = walk.page.locator('.card.with-picture')
    expect(await card.innerText()).not.toContain('Leaf 1')
    // The first letter of the name gives way to the picture once that is loaded.
    await expect.poll(async () => (await card.locator('.token').boundingBox())?.width ?? 0).toBeGreaterThan(200)
    // Its corners are as round as those of a small one, so that they cut nothing off.
    await expect.poll(() => card.locator('.token').evaluate((picture) => getComputedStyle(picture).borderRadius)).toBe('8px')
  })

  it('contracts of tokens have no tabs for tokens that they do not hold, and wallets always have them', async () => {
    const tabs = (): Promise<string[]> =>
      walk.page.getByRole('navigation', { name: 'Parts of the account' }).getByRole('link').allInnerTexts()
    const shown = async (...view: string[]): Promise<string[]> => {
      await open('account', ...view)
      await walk.whole(walk.page)
      return tabs()
    }
    expect(await shown(walk.known.jetton)).toEqual(['History', 'Transactions', 'Holders', 'Contract'])
    expect(await shown(walk.known.collection)).toEqual(['History', 'Transactions', 'Items', 'Contract'])
    expect(await shown(walk.known.item)).toEqual(['History', 'Transactions', 'Contract'])
    // A link to such a part still leads there.
    expect(await shown(walk.known.item, 'nfts')).toEqual(['History', 'Transactions', 'NFTs', 'Contract'])
    expect(await shown(walk.known.vesting)).toEqual(['History', 'Transactions', 'Tokens', 'NFTs', 'Contract'])
  })

  it('a token that the operator lists has a warning beside it wherever it stands', async () => {
    const { jetton, jettonWallet, item, wallet, mint } = walk.known
    const listed = async (...tokens: readonly (readonly [address: string, flag: 'is_scam' | 'is_nsfw'])[]): Promise<void> => {
      const rows = tokens.map(([address, flag]) => {
        const { workChain, hash } = Address.parse(address)
        return { account: accountKey(workChain, hash), is_scam: false, is_nsfw: false, [flag]: true }
      })
      await replaceTokenFlags({ connection: walk.connection, suffix: undefined }, rows, AbortSignal.timeout(30_000))
      // A kept answer is a second old at most.
      await sleep(1_000)
      await walk.page.goto('about:blank')
    }
    const warnings = (within: string): Promise<string[]> =>
      walk.page.locator(`${within} .badge`, { hasText: /^(scam|NSFW)$/ }).allInnerTexts()
    await listed([jetton, 'is_scam'], [item, 'is_nsfw'])
    const has = (within: string, ...words: readonly string[]) =>
      expect.poll(() => warnings(within).then((all) => [...new Set(all)])).toEqual(words)
    await open('account', jetton)
    await has('main h1, .heading', 'scam')
    // Amounts in its history.
    await has('.action', 'scam')
    await open('account', jettonWallet)
    await has('.heading', 'scam')
    await has('.token-name', 'scam')
    await open('account', wallet, 'tokens')
    await has('.token-name', 'scam')
    await open('account', wallet, 'nfts')
    await has('.tile', 'NSFW')
    // Nothing of it is loaded.
    expect(await walk.page.locator('.tile', { hasText: 'NSFW' }).locator('img').count()).toBe(0)
    await open('account', item)
    await has('.heading', 'NSFW')
    await open('tx', mint)
    await has('main', 'scam')
    await expect.poll(() => walk.page.locator('.node .kind', { hasText: 'scam' }).count()).toBeGreaterThan(0)
    await open()
    await walk.page.locator('form.search input').fill('acor')
    await expect
      .poll(() => walk.page.locator('#search-suggestions option').allInnerTexts())
      .toContainEqual(expect.stringContaining('Acorn (ACRN) (scam)'))
    await walk.page.locator('form.search input').fill('')
    await listed()
    await open('account', jetton)
    await says('Supply')
    expect(await warnings('main')).toEqual([])
  })

  it('a jetton says how many hold it, and that there are more than were counted', async () => {
    const holders = (): Promise<string> =>
      walk.page.locator('dd', { has: walk.page.locator('xpath=preceding-sibling::dt[text()="Holders"]') }).innerText()
    const { jetton_wallets } = await walk.service.call('v3.jetton.wallets', {
      jetton_address: [walk.known.jetton],
      exclude_zero_balance: true,
    })
    await walk.page.goto('about:blank')
    await open('account', walk.known.jetton)
    await expect.poll(holders).toBe(String(jetton_wallets.length))
    await answerOf(walk.page, 'token.holders', () => ({ holders: 1000, more: true }))
    await walk.page.goto('about:blank')
    await open('account', walk.known.jetton)
    await expect.poll(holders).toBe('1\u202f000+')
    await walk.page.unrouteAll({ behavior: 'wait' })
  })

  it('a mint says what was minted, by which jetton or collection, and who told it to', async () => {
    const line = (title: string, of: string) => walk.page.locator('.action', { hasText: title }).filter({ hasText: of }).first()
    await open('account', walk.known.jetton)
    await expect.poll(() => line('Jetton mint', '123.4567').locator('.who').innerText()).toMatch(/^“Acorn”\s+→\s+oak\.ton$/)
    await open('account', walk.known.collection)
    const mint = line('NFT mint', 'Leaf 1')
    await expect.poll(() => mint.innerText()).toMatch(/“Leaves”\s+“Leaf 1”[\s\S]*by oak\.ton\s+injected/)
    // Whoever owns it today may have had nothing to do with the mint.
    expect(await mint.innerText()).not.toContain('owner')
    // A wallet that told a minter to mint for somebody else is named in its own history.
    const { call } = walk.service
    const other = `0:${'B5'.repeat(32)}`
    await call('local.mintJetton', { jetton: walk.known.jetton, owner: other, amount: '2000000' })
    await walk.service.settle()
    await open('account', walk.known.wallet)
    await expect.poll(() => line('Jetton mint', '2 ACRN').innerText()).toMatch(/“Acorn”\s+→\s+\S+…[\s\S]*by oak\.ton\s+injected/)
  })

  it('an auction says whether it still runs, and what nobody has bid for yet', async () => {
    const { head } = (await (await fetch(`${walk.service.url}/status`)).json()) as { head: { utime: number } }
    const auction = {
      ...{ end_flag: false, end_time: head.utime + 86_400, last_bid: '0', min_step: 5, mp_fee_factor: 5, mp_fee_base: 100 },
      ...{ royalty_fee_factor: 5, royalty_fee_base: 100, max_bid: '9000000000', min_bid: '3000000000', last_bid_at: 0, is_canceled: false },
    }
    let details: object = auction
    await walk.page.route(isCall, async (route) => {
      const calls = JSON.parse(route.request().postData() ?? '[]') as Asked[]
      if (!Array.isArray(calls) || !calls.some(({ method }) => method === 'v3.nft.sales')) return route.continue()
      const result = { nft_sales: [{ type: 'getgems_auction', address: walk.known.sale, details }], address_book: {}, metadata: {} }
      const response = await route.fetch()
      const answers = (await response.json()) as { id: number }[]
      const asked = new Set(calls.filter(({ method }) => method === 'v3.nft.sales').map(({ id }) => id))
      await route.fulfill({ response, json: answers.map((each) => (asked.has(each.id) ? { jsonrpc: '2.0', id: each.id, result } : each)) })
    })
    const shown = async (change: object, ...wanted: RegExp[]): Promise<void> => {
      details = { ...auction, ...change }
      await open()
      await open('account', walk.known.sale)
      await says(...wanted)
    }
    await shown(
      {},
      /Auction\s+open for bids/,
      /Highest bid\s+none yet/,
      /First bid at least\s+3 GRAM/,
      /Ends at once with a bid of\s+9 GRAM/,
    )
    await shown({ end_time: head.utime - 86_400 }, /Auction\s+ended/)
    await shown({ end_flag: true, is_canceled: true }, /Auction\s+called off/)
    await walk.page.unrouteAll({ behavior: 'wait' })
  })

  it('the page shows a multisig, its order, a vesting and a sale as what they are', async () => {
    const minter = await walk.short(walk.known.jetton)
    await open('account', walk.known.multisig)
    await says(
      'Multisig',
      'any 2 of 3 signers',
      // The jetton wallet of its second action is of another owner.
      '1 of 2 actions will most likely fail',
      'Proposers',
      '1 of 2 signatures',
      // Whoever signs sees which of the jettons with this symbol it is.
      new RegExp(
        `Transfer\\s+\\d[\\d.]*\\s+GRAM\\s+→\\s+\\S+…\\S+\\s+Jetton transfer\\s+1\\.5\\s+ACRN\\s+${minter}\\s+→\\s+\\S+…\\S+\\s+will most likely fail\\s+in 39\\sd \\d+\\sh`,
      ),
    )
    // Histories call a multisig and its order as links do elsewhere.
    const deploy = walk.page.locator('.action', { hasText: 'Multisig order init' }).locator('.who')
    await expect.poll(() => deploy.innerText()).toMatch(/^multisig 2 of 3\s+→\s+order 0$/)
    // The history tells of an order with a link to it.
    await walk.page.locator('.action', { hasText: 'Multisig order' }).first().getByRole('link', { name: 'order 0', exact: true }).click()
    await says('Order 0 of multisig 2 of 3')
    await open('account', walk.known.multisig)
    await walk.page.getByRole('region', { name: 'Orders' }).getByRole('link', { name: 'order 0', exact: true }).click()
    await says('Order 0 of multisig 2 of 3', 'Order', '1 of 2 signatures', 'What it does', 'rent')
    // Anybody can make a multisig that is called the same.
    await says(
      new RegExp(`Multisig\\s+multisig 2 of 3\\s+${await walk.short(walk.known.multisig)}`),
      '1 of 2 actions will most likely fail',
    )
    await expect.poll(() => deploy.innerText()).toMatch(/^multisig 2 of 3\s+→\s+order 0$/)
    // What became of an order stands beside its signatures.
    const become = async (changes: object, ...badges: string[]): Promise<void> => {
      await answerOf(walk.page, 'v3.multisig.orders', (result) => {
        const { orders, ...rest } = result as { orders: object[] }
        return { ...rest, orders: orders.map((order) => ({ ...order, ...changes })) }
      })
      await open()
      await open('account', walk.known.order)
      const side = walk.page.locator('main .card', { hasText: 'What it does' }).locator('.side .badge')
      await expect.poll(() => side.allInnerTexts()).toEqual(badges)
      await walk.page.unrouteAll({ behavior: 'wait' })
    }
    // An order whose execution is not in the index: the page does not say how it ended.
    await become({ sent_for_execution: true, approvals_num: 2 }, 'sent for execution', '2 of 2 signatures')
    await become({ expiration_date: 1_700_000_000 }, 'expired', '1 of 2 signatures')
    await become({}, '1 of 2 signatures', '1 of 2 actions will most likely fail')
    const [proposer] = (await walk.service.call('v3.multisig.wallets', { address: [walk.known.multisig] })).multisigs[0]!.signers
    const short = (await walk.spelled(proposer!)).replace(/^(.{6}).*(.{6})$/, '$1…$2')
    await says(new RegExp(`Proposed by\\s+${short}\\s+on \\w+ \\d+, 20\\d\\d.* ago\\)`))
    // The wallet is not the multisig's own: whoever signs has to know it.
    await says('This jetton wallet is owned by oak.ton, not by this multisig')
    // First what is paid and to whom, then the coins for fees.
    await says(
      new RegExp(`Jetton transfer\\s+1\\.5\\s+ACRN\\s+${minter}\\s+→\\s+\\S+…\\S+\\s+will most likely fail\\s+with 0\\.1 GRAM for fees`),
      new RegExp(`sent to the jetton wallet ACRN ${minter} wallet of oak\\.ton`),
      /Forwarded with\s+0\.01\s+GRAM/,
      /send mode 3: fees for delivery are paid apart; it is left out if it cannot be sent/,
    )
    const receivers = walk.page.locator('main .card', { hasText: 'What it does' }).locator('.to a')
    const titles = () => receivers.evaluateAll((links) => links.map((link) => (link as HTMLElement).title))
    await expect.poll(titles).toEqual(Array(2).fill(await walk.spelled(FRIEND)))
    const signers = walk.page.locator('dd', { hasText: 'not signed' }).locator('li')
    await expect.poll(() => signers.locator('.badge').allInnerTexts()).toEqual(['signed', 'not signed', 'not signed'])
    await answerOf(walk.page, 'v3.jetton.wallets', (result) =>
      JSON.parse(JSON.stringify(result), (name, value) =>
        name === 'owner' ? Address.parse(walk.known.multisig).toRawString().toUpperCase() : value,
      ),
    )
    await open()
    await open('account', walk.known.order)
    await says('What it does', 'rent')
    await expect.poll(walk.text).not.toContain('This jetton wallet is owned by')
    await walk.page.unrouteAll({ behavior: 'wait' })
    await open('account', walk.known.vesting)
    await says(
      'Vesting',
      /Unlocked so far\s+250 GRAM/,
      /Unlocked next\s+83\.333333333 GRAM on \w+ \d+, 20\d\d, .*\(in \d+\sd/,
      /Locked now\s+750 GRAM/,
      /Total\s+1.000 GRAM/,
      'Cliff ends',
      '30 days',
      'Whitelist',
    )
    // Its contract tells no seqno, and the view no empty word about it.
    await expect.poll(walk.text).not.toMatch(/unknown|not known/)
    const { head } = (await (await fetch(`${walk.service.url}/status`)).json()) as { head: { utime: number } }
    const locked = { address: walk.known.vesting, method: 'get_locked_amount', stack: [['num', String(head.utime)]] as ['num', string][] }
    expect((await walk.service.call('runGetMethod', locked)).stack).toEqual([['num', `0x${(750_000_000_000).toString(16)}`]])
    await open('account', walk.known.sale)
    await says(/^Sale of “Leaf 2”/, /Sale\s+on sale\s+Price\s+2 GRAM/)
    // Each payee stands beside what it gets.
    await says(
      /Seller gets\s+1\.85 GRAM\s+→ oak\.ton\s+Royalty\s+0\.05 GRAM\s+→ UQBRUV…\w+\s+Marketplace fee\s+0\.1 GRAM\s+→ UQBQUF…\w+\s+NFT/,
    )
    // Its own transaction failed, although the transfer of the NFT succeeded.
    await says(
      /Last transaction[\s\S]*failed[\s\S]*NFT transfer[\s\S]*this account’s transaction failed\s+exit code 65535, the contract most likely/,
    )
    // The NFT and its seller took part in it, too.
    for (const account of [walk.known.sold, walk.known.wallet]) {
      await open('account', account)
      await says(/NFT transfer[\s\S]*a transaction failed\s+at sale of “Leaf 2”: exit code 65535, the contract most likely/)
    }
    await open('account', walk.known.sale)
    // The picture of what is sold, or its first letter.
    await expect.poll(() => walk.page.locator('.card .token-name .token').count()).toBe(1)
    await open('account', walk.known.wallet, 'nfts')
    await says(/on sale\s+2 GRAM/, '“Leaf 1”', '“Leaves”')
    await open('account', walk.known.wallet, 'tokens')
    await says(/“Acorn”\s+123\.456789/)
  })
}
