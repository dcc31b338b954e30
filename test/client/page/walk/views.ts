import { Address, beginCell, external, internal, storeMessage } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Action } from '../../../../client/page/base/types.ts'
import { FRIEND } from '../scene.ts'
import { type Asked, answerOf, isCall, type Walk } from './walk.ts'

/* The overview, accounts, blocks, the configuration, the search, and what is in no block yet. */

export const views = (walk: Walk): void => {
  const { open, says, text, search, spelled } = walk

  it('the first view shows the head, the newest blocks and the newest actions', async () => {
    await open()
    await says('Masterchain block', 'up to date', 'basechain', 'Jetton mint', 'Acorn')
    expect(await walk.page.locator('.connection').innerText()).toContain('local')
  })

  it('the first view follows new blocks without being loaded again', async () => {
    await open()
    await says(/Masterchain block\s+\d/)
    const { block } = await walk.service.call('local.mine', { count: 3 })
    await says(new RegExp(`Masterchain block\\s+${block.seqno}`))
    await expect.poll(() => walk.page.locator('.connection').innerText()).toContain('blocks live')
  })

  it('the first view lists actions by trace and empty blocks in one line, in cards that end with a whole row and keep their height', async () => {
    const page = await walk.browser.newPage({ viewport: { width: 1280, height: 900 } })
    const heights = (): Promise<number[]> =>
      page.locator('.card.fixed').evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height))
    const heads = (): Promise<(string | null)[]> =>
      page.locator('.run .head a').evaluateAll((all) => all.map((each) => each.getAttribute('href')))
    /** Rows that are in sight, and whether all of them are whole. A trace can be shown in part, an action of it cannot. */
    const rows = (): Promise<{ shown: number; hidden: number; cut: number }> =>
      page.locator('.card.fixed').evaluateAll((cards) => {
        const all = cards.flatMap((card) =>
          [...card.querySelectorAll('.actions li:not(:has(li)), tbody tr')].map((row) => ({
            isShown: row.checkVisibility({ visibilityProperty: true }),
            isOver: row.getBoundingClientRect().bottom > card.getBoundingClientRect().bottom,
          })),
        )
        const shown = all.filter(({ isShown }) => isShown)
        return { shown: shown.length, hidden: all.length - shown.length, cut: shown.filter(({ isOver }) => isOver).length }
      })
    await page.goto(`${walk.service.url}/?lists`)
    await walk.whole(page)
    const failed = page.locator('.run', { hasText: 'Bounce' }).first()
    expect(await failed.locator('.what').allTextContents()).toEqual([expect.stringMatching(/failed$/), 'Bounce'])
    // The wallet of the new owner is a part of the mint.
    expect(await page.locator('.run', { hasText: 'Jetton mint' }).count()).toBe(0)
    const full = [await heights(), await rows()] as const
    expect(full[1]).toMatchObject({ cut: 0, hidden: expect.any(Number) })
    expect(full[1].hidden).toBeGreaterThan(0)
    // There is no empty space below the last row, and the card has its own room around it.
    const spaces = (): Promise<number[]> =>
      page.locator('.card.fixed').evaluateAll((cards) =>
        cards.map((card) => {
          const shown = [...card.querySelectorAll('.actions li, tbody tr')].filter((row) =>
            row.checkVisibility({ visibilityProperty: true }),
          )
          const inner = shown.filter((row) => !shown.some((other) => other !== row && row.contains(other)))
          return card.getBoundingClientRect().bottom - Math.max(...inner.map((row) => row.getBoundingClientRect().bottom))
        }),
      )
    for (const width of [390, 1440, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(async () => Math.max(...(await spaces()))).toBeLessThan(30)
      expect(Math.min(...(await spaces()))).toBeGreaterThan(10)
    }
    // Blocks without transactions are one row, which says which they are.
    const folded = page.getByRole('region', { name: 'Newest blocks' }).locator('tr', { hasText: 'empty' }).first()
    expect(await folded.locator('[title]', { hasText: 'empty' }).getAttribute('title')).toMatch(
      /^\d+ empty blocks: (master|base)chain \d+( to \d+)?, (master|base)chain \d+( to \d+)?$/,
    )
    // The row says which they are without it, too.
    expect(await folded.locator('td').nth(1).innerText()).toMatch(
      /^(master|base)chain \d+( to \d+)?, (master|base)chain \d+( to \d+)?, empty$/,
    )
    expect(await folded.locator('td').nth(2).innerText()).toBe('0')
    // New blocks make it a row of more blocks, and no new row.
    const count = async (): Promise<number> =>
      Number(/^\d+/.exec((await folded.locator('[title]', { hasText: 'empty' }).getAttribute('title')) ?? '')?.[0])
    const [before, blockRows, kept] = [await count(), await page.locator('tbody tr').count(), await heights()]
    await walk.service.call('local.mine', { count: 2 })
    await expect.poll(count).toBe(before + 4)
    // Older rows may leave.
    expect(await page.locator('tbody tr').count()).toBeLessThanOrEqual(blockRows)
    expect(await heights()).toEqual(kept)
    // Two traces that went on at the same time have one head each. A short list has a short card.
    await answerOf(page, 'v3.actions', (result) => {
      const { actions, ...rest } = result as { actions: Action[] }
      const half = actions.filter(({ trace_id }) => trace_id === actions[0]!.trace_id || trace_id === actions[2]!.trace_id)
      const mixed = half.toSorted(
        (a, b) =>
          half.filter(({ trace_id }) => trace_id === a.trace_id).indexOf(a) -
          half.filter(({ trace_id }) => trace_id === b.trace_id).indexOf(b),
      )
      return { ...rest, actions: mixed }
    })
    await page.goto(`${walk.service.url}/?mixed`)
    await walk.whole(page)
    await page.unrouteAll({ behavior: 'wait' })
    const mixed = await heads()
    expect([mixed.length, new Set(mixed).size]).toEqual([2, 2])
    expect((await heights())[0]).toBeLessThan(kept[0]!)
    expect(Math.max(...(await spaces()))).toBeLessThan(30)
    // A trace that is higher than the card is shown in part, not left out.
    await answerOf(page, 'v3.actions', (result) => {
      const { actions, ...rest } = result as { actions: Action[] }
      const [{ trace_id }] = actions as [Action]
      return {
        ...rest,
        actions: actions.map((each) => ({ ...each, trace_id, details: { ...each.details, comment: 'many words '.repeat(40) } })),
      }
    })
    await page.setViewportSize({ width: 360, height: 900 })
    await page.goto(`${walk.service.url}/?long`)
    await walk.whole(page)
    await page.unrouteAll({ behavior: 'wait' })
    const seen = await page
      .locator('.card.fixed .action')
      .evaluateAll((all) =>
        all.flatMap((each) => (each.checkVisibility({ visibilityProperty: true }) ? [each.getBoundingClientRect().bottom] : [])),
      )
    const card = await page.locator('.card.fixed', { hasText: 'Actions' }).boundingBox()
    const all = await page.locator('.card.fixed .action').count()
    expect([seen.length > 0, seen.length < all]).toEqual([true, true])
    expect(Math.max(...seen)).toBeLessThanOrEqual(card!.y + card!.height)
    // The head does not say more than stands below it.
    const head = page.locator('.run .head a').first()
    expect(await head.evaluate((link) => getComputedStyle(link, '::before').content)).toBe(`"${seen.length} of "`)
    await page.close()
  })

  it('the first view says at its first drawing which messages were injected, who minted and why something failed', async () => {
    const page = await walk.browser.newPage()
    // What the rows say when they are drawn for the first time.
    await page.addInitScript(() => {
      const first: string[] = []
      Object.assign(window, { first })
      const watcher = new MutationObserver(() => {
        const rows = [...document.querySelectorAll('.fitting .action')]
        if (rows.length === 0) return
        watcher.disconnect()
        first.push(...rows.map((row) => row.textContent))
      })
      watcher.observe(document, { childList: true, subtree: true })
    })
    const card = page.locator('.card.fixed', { has: page.getByRole('heading', { name: 'Actions' }) })
    for (const width of [360, 390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${walk.service.url}/?first=${width}`)
      await walk.whole(page)
      const first = await page.evaluate(() => (window as unknown as { first: string[] }).first)
      const said = (row: RegExp): string | undefined => first.find((text) => row.test(text))
      expect(said(/^•Call failed/)).toMatch(/injected.*exit code 65535, the contract most likely does not know this opcode$/)
      expect(said(/^•Jetton mint/)).toMatch(/by oak\.ton injected$/)
      // The action succeeded, and a transaction of it failed.
      expect(said(/^•NFT transfer/)).toMatch(/“Leaf 2”.*a transaction failed at .*: exit code 65535, /)
      // The wallet that the minter deployed is a part of the mint.
      expect(said(/^•Deploy“Acorn”/)).toBeUndefined()
      const cut = await page
        .locator('.fitting .action, .fitting .action *')
        .evaluateAll((all) =>
          all.flatMap((each) => (each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 ? [each.outerHTML] : [])),
        )
      expect([width, cut]).toEqual([width, []])
    }
    // A list without its reasons is better than none. They come with the next blocks.
    let refused = 0
    await page.route(isCall, async (route) => {
      if (!(route.request().postData() ?? '').includes('"v3.transactions"')) return route.continue()
      refused += 1
      await route.fulfill({ status: 400, json: { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'refused' } } })
    })
    await page.goto(`${walk.service.url}/?refused`)
    await walk.whole(page)
    expect([refused > 0, await card.innerText()]).toEqual([true, expect.not.stringMatching(/exit code|injected/)])
    expect(await card.locator('.action .badge', { hasText: 'failed' }).count()).toBeGreaterThan(0)
    await page.unrouteAll({ behavior: 'wait' })
    await walk.service.call('local.mine', { count: 1 })
    await expect.poll(() => card.innerText()).toMatch(/injected[\s\S]*exit code 65535/)
    await page.close()
  })

  it('a list of transactions tells what each cost with the delivery of its messages, as the view of the transaction does', async () => {
    await walk.page.setViewportSize({ width: 1440, height: 900 })
    await open('account', walk.known.jetton)
    await walk.page.getByRole('link', { name: 'Transactions' }).click()
    const { transactions } = await walk.service.call('v3.transactions', { account: [walk.known.jetton], limit: 20 })
    const sender = transactions.find(({ out_msgs: sent }) => sent.length > 0)!
    const cost = sender.out_msgs.reduce((sum, { fwd_fee: fee }) => sum + BigInt(fee ?? 0), BigInt(sender.total_fees))
    expect(cost).toBeGreaterThan(BigInt(sender.total_fees))
    await says(new RegExp(`0\\.${cost.toString().padStart(9, '0').replace(/0+$/, '')}\\s+GRAM`))
    await walk.page.setViewportSize({ width: 1280, height: 900 })
  })

  it('the view of an account shows its history, tokens, NFTs and a get-method that runs', async () => {
    await open('account', walk.known.wallet)
    await says('wallet v4R2', 'active', 'Jetton mint', /\+123\.456789\sACRN/)
    // What is younger than an hour has its age and its time of day.
    await says(/ACRN\s+(now|\d+\s(s|min) ago) · \d\d:\d\d:\d\d/)
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

  it('the history of a jetton tells a mint without a sign: the minter gave nothing away', async () => {
    await open('account', walk.known.jetton)
    await says(/Jetton mint[\s\S]*\s123\.456789\sACRN/)
    expect(await text()).not.toMatch(/[-−]123\.456789/)
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
    await says('Times of elections', 'Validators elected for', 'Gas on the basechain', 'nanograms for a unit of gas', 'Elector')
    const parameters = walk.page.getByRole('searchbox', { name: 'Search parameters' })
    await parameters.fill('lump price')
    await expect.poll(() => walk.page.locator('main .card').count()).toBe(2)
    // Prices of both chains are in one unit.
    await says(/Lump price\s+10.000.000 nanograms[\s\S]*Lump price\s+66.667 nanograms/, /Cell price\s+1.000.000 nanograms/)
    expect(await walk.page.getByText('66\u202f667 nanograms').getAttribute('title')).toBe('0.000066667 GRAM')
    await parameters.fill('contracts of the system')
    await says(/Elector\s+Ef8z\w+[\s\S]*Configuration contract\s+Ef9V\w+/)
    await parameters.fill('capabilities')
    await says(/bounced bodies \(capBounceMsgBody\)\s+versions of blocks/, /as a number: \d/)
    // The words of the page and the names of block.tlb, at every level.
    for (const words of ['min total stake', 'min_total_stake', 'min_tot_rounds', 'min total rounds']) {
      await parameters.fill(words)
      await expect.poll(async () => [words, await walk.page.locator('main .card').count()]).toEqual([words, 1])
    }
    expect(await walk.page.locator('main dt[title="bit_price"]').count()).toBe(2)
    await says(/Bit price\s+\d[\d\s]* nanograms a second/)
    // What is rounded has its exact value beside it.
    await parameters.fill('first frac')
    await says(/First share\s+33\.33 % of the fee\s+\(21.845.\/.65.?536\)\s+Next share\s+33\.33 % of what is left/i)
    // What a number counts is said beside it.
    for (const [words, said] of [
      ['elections start', /Elections start\s+(\d+\s(h|min|s)\s)+before the round ends\s+Elections end\s.*before the round ends/],
      ['flat', /Limit\s+100 gas\s/],
      ['max_ext_msg_size', /Max external message size\s+65.535 bytes/],
      ['next candidate delay', /Next candidate delay\s+2\ss\s+Consensus timeout\s+16\ss/],
      ['underload', /Underloaded below\s/],
    ] as const) {
      await parameters.fill(words)
      await says(said)
    }
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

  it('on a phone the values of the configuration begin at one line, and names of the code are not broken', async () => {
    const page = await walk.browser.newPage({ viewport: { width: 360, height: 900 } })
    await page.goto(`${walk.service.url}/#/config`)
    await walk.whole(page)
    const begins = await page
      .locator('.params-list .card > .facts')
      .evaluateAll((lists) =>
        lists.flatMap((list) =>
          [...list.querySelectorAll<HTMLElement>(':scope > div > dd')]
            .filter((value) => value.parentElement!.getBoundingClientRect().left + 40 < value.getBoundingClientRect().left)
            .map((value) => Math.round(value.getBoundingClientRect().left)),
        ),
      )
    expect([begins.length > 50, new Set(begins).size]).toEqual([true, 1])
    const names = await page.locator('.params-list .unbroken').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
    expect(names.length).toBeGreaterThan(2)
    expect(Math.max(...names)).toBeLessThan(30)
    await page.close()
  })

  it('the page shows what was sent before it is in a block, and then that it is in one', async () => {
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
    await walk.service.call('local.setAutomine', { automine: false })
    try {
      await open('account', address)
      await says('History')
      const { hash_norm } = await walk.service.call('sendBocReturnHash', { boc })
      await expect.poll(pending).toBe(1)
      await says('before the block')
      await open('tx', Buffer.from(hash_norm, 'base64').toString('hex'))
      await says('in no block yet', '2 transactions')
    } finally {
      await walk.service.call('local.setAutomine', { automine: true })
    }
    await walk.service.settle()
    await expect.poll(text).not.toContain('in no block yet')
    await says('finished', 'success')
    await open('account', address)
    await says('before the block')
    await expect.poll(pending).toBe(0)
    // A transaction of the wallet sent it.
    const sent = walk.page.locator('.action', { hasText: 'before the block' })
    await expect.poll(() => sent.locator('.much').innerText()).toMatch(/^−1\.(5|49\d+…?)\sGRAM$/)
    expect(await sent.locator('.who').innerText()).not.toContain('injected')
    // What a wallet pays out is in its transactions, with its receiver.
    await walk.page.getByRole('link', { name: 'Transactions' }).click()
    const row = walk.page.locator('main table tbody tr', { hasText: 'external message' }).first()
    const cell = (name: string): Promise<string> => row.locator(`td[data-name="${name}"]`).innerText()
    await expect.poll(() => cell('Sent')).toMatch(/^−1\.(5|49\d+…?)\sGRAM$/)
    await expect.poll(text).not.toContain('injected')
    // The history calls it the same.
    expect([await cell('What'), await cell('From'), await cell('Received')]).toEqual(['Transfer', 'external message', ''])
    await expect.poll(() => row.locator('td[data-name="To"] a').getAttribute('title')).toBe(await spelled(FRIEND))
    await open('account', walk.known.jetton, 'transactions')
    await says(/oak\.ton\s+injected/)
    // A phone and a keyboard do not get the title of the badge. A list without one says nothing of it.
    const meaning = walk.page.locator('.injected-meaning')
    expect([await meaning.isVisible(), await meaning.innerText()]).toEqual([
      true,
      '“injected”: no transaction of the sender sent the message; it was put on the chain by local.sendInternal.',
    ])
    const badge = walk.page.locator('.badge', { hasText: 'injected' }).first()
    expect(await badge.getAttribute('title')).toMatch(
      /^No transaction of the sender sent this message: it was put on the chain by local\.sendInternal\.$/,
    )
    // A fork begins at a block of the other network. Messages were under way there.
    await answerOf(walk.page, 'rpc.about', (result) => ({ ...(result as object), fork: 'mainnet' }))
    await walk.page.reload()
    await expect.poll(() => badge.getAttribute('title')).toMatch(/local\.sendInternal, or was under way when the fork began\.$/)
    await walk.page.unrouteAll({ behavior: 'wait' })
    await walk.page.reload()
    await expect.poll(() => badge.getAttribute('title')).toMatch(/local\.sendInternal\.$/)
  })

  it('the history of an account names what was called, shows NFTs as what moved, and tells the coins of a deploy once', async () => {
    await open('account', walk.known.wallet)
    await says('Excess', 'NFT transfer', 'DNS change', new RegExp(`record wallet\\s+→\\s+oak\\.ton ${await walk.short(walk.known.wallet)}`))
    await expect.poll(text).not.toMatch(/0x178d4519|0xd53276db/)
    const moved = walk.page.locator('.action', { hasText: 'NFT transfer' })
    expect(await moved.locator('.much').innerText()).toBe('“Leaf 2”')
    // What came in and what went out are told by more than colour.
    expect(await walk.page.locator('.action', { hasText: 'Excess' }).last().locator('.much').innerText()).toMatch(/^\+[\d.]+…?\sGRAM$/)
    const call = walk.page.locator('.action', { hasText: 'opcode 0x00000001' }).first()
    expect(await call.locator('.much').innerText()).toMatch(/^0\.3\sGRAM$/)
    // The chain was told to deliver it: the account has sent and paid nothing.
    expect(await call.locator('.who').innerText()).toMatch(/^oak\.ton\s+injected\s+→\s+“/)
    expect(await call.locator('.mark').innerText()).toBe('•')
    expect(await walk.page.locator('.injected-meaning').isVisible()).toBe(true)
    // What one trace did stands under one head, the cause first. Traces are in the order that the service answers.
    const lines = (run: Locator): Promise<string[]> =>
      run.locator('.what').evaluateAll((all) => all.map((each) => each.firstChild?.textContent ?? ''))
    const run = walk.page.locator('.run', { hasText: '“Acorn”' }).last()
    await expect.poll(() => run.locator('.head').innerText()).toMatch(/^2 actions of one trace\s+\S/)
    expect(await lines(run)).toEqual(['Transfer', 'Deploy'])
    expect(await lines(walk.page.locator('.run', { hasText: 'DNS change' }))).toEqual(['DNS change', 'Excess'])
    const { actions } = await walk.service.call('v3.actions', { account: walk.known.wallet, limit: 25 })
    const traces = actions.map(({ trace_id }) => Buffer.from(trace_id!, 'base64').toString('hex'))
    const several = traces.filter((id, i) => traces.indexOf(id) === i && traces.lastIndexOf(id) !== i)
    const heads = await walk.page.locator('.run .head a').evaluateAll((all) => all.map((each) => each.getAttribute('href')))
    expect(heads).toEqual(several.map((id) => `#/tx/${id}`))
    await run.locator('.head a').click()
    await says(/Actions\s+success/, 'Deploy', 'Transfer')
    await open('account', walk.known.multisig)
    await says('Multisig order', 'Deploy', /Transfer/)
    // An order is agreed on. Nothing came in.
    expect(await walk.page.locator('.action', { hasText: 'Multisig order' }).first().locator('.mark').innerText()).toBe('•')
    expect(await walk.page.locator('.action', { hasText: 'Deploy' }).first().locator('.much').innerText()).toBe('')
    // Accounts without a name are headed by what they are.
    const heading = (): Promise<string> => walk.page.locator('main h1').innerText()
    expect(await heading()).toBe('Multisig 2 of 3')
    await open('account', walk.known.order)
    await expect.poll(heading).toBe('Order 0 of multisig 2 of 3')
    expect(await walk.page.locator('main .heading').innerText()).toMatch(/^Order 0 of multisig 2 of 3\s+EQ\w+/)
    await open('account', walk.known.collection)
    await says('“Leaves”', 'NFT collection')
    await expect.poll(() => walk.page.title()).toBe('“Leaves” · tonway')
  })

  it('the page shows a block, the validators, and a way back from an unknown address', async () => {
    await open('block', '-1', '8000000000000000', '3')
    await says(
      /Masterchain block 3\s+\(-1,8000000000000000,3\)/,
      /Transactions\s+0 in the masterchain itself/,
      'There are none in the masterchain itself',
      /Root hash\s+[0-9a-f]{64}/,
      /Created by\s+[0-9a-f]{64}\s+public key of a validator/,
      'Shard blocks',
      'Previous block',
      'Next →',
    )
    await walk.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await walk.page.getByRole('button', { name: 'Copy the block id' }).click()
    await expect.poll(() => walk.page.evaluate(() => navigator.clipboard.readText())).toBe('(-1,8000000000000000,3)')
    // A block of a shard, and what is in it, is no part of the masterchain.
    await walk.page.getByRole('region', { name: 'Shard blocks' }).getByRole('link').click()
    await says(/Basechain block 3\s+\(0,8000000000000000,3\)/, /Committed by\s+masterchain block 3/)
    await open('tx', walk.known.mint)
    await says(/Block\s+basechain block \d+\s+Committed by\s+masterchain block \d+/)
    await open('validators')
    await says(
      'Current round',
      /Ends\s+no end is set/,
      /Masterchain\s+validated by 1 of 1 validator/,
      'Public key',
      'ADNL address',
      '100 %',
    )
    await says(/not known\s+not known/, 'The index has no election of this round')
    await open('nowhere', 'at', 'all')
    await says('There is no such page')
  })

  it('the page lists webhooks with their states, and why a delivery failed', async () => {
    await open('hooks')
    await says('Webhooks', 'There are no webhooks of this key')
    const { id } = await walk.service.call('hooks.create', { url: 'http://127.0.0.1:9/hook', types: ['blocks'] })
    await walk.service.call('local.mine', { count: 1 })
    await says('http://127.0.0.1:9/hook', /failing\s+connect ECONNREFUSED 127\.0\.0\.1:9/, /failure \d+ · next try/)
    await walk.service.call('hooks.delete', { id })
  })

  it('the page says so where an account, a transaction or a block is not known, or is no such thing', async () => {
    await open('account', `0:${'c1'.repeat(32)}`)
    await says('not deployed (nonexist): there is no transaction of it yet', 'Nothing has happened here yet')
    // Coins that are sent there would come back from a bounceable address.
    await walk.page.getByText('Bounceable and raw').click()
    await says(/\sUQDBwcHB\w+\s/, /Bounceable\s+EQDBwcHB/)
    await open('account', 'nonsense')
    await says('This is not an address')
    await open('tx', 'cd'.repeat(32))
    await says('No transaction or message with this hash is known on this network', 'The page keeps looking for it')
    expect(await walk.page.locator('.looking .dot').evaluate((dot) => dot.getAnimations().length)).toBe(1)
    // Where the service has no other network, it promises none.
    await says(/as soon as it arrives\.$/)
    const isStatus = (url: URL): boolean => url.pathname.endsWith('/status')
    await walk.page.route(isStatus, async (route) => {
      const response = await route.fetch()
      const told = (await response.json()) as { networks: object[] }
      await route.fulfill({ response, json: { ...told, networks: [...told.networks, { network: 'second', phase: 'ready' }] } })
    })
    const other = walk.page.locator('main').getByRole('link', { name: 'second' })
    await expect.poll(() => other.getAttribute('href')).toBe(`second/#/tx/${'cd'.repeat(32)}`)
    await walk.page.unrouteAll({ behavior: 'wait' })
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
    await expect.poll(focused).toBe('H1 Masterchain block 3')
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
    const box = walk.page.getByRole('combobox', { name: /^Search: / })
    await box.click()
    await walk.page.keyboard.type('abc')
    release()
    await says('Current round')
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
    await says('Masterchain block 3')
    await search('(-1,8000000000000000,2)')
    await says('Masterchain block 2')
    await search(`${walk.known.jetton.slice(0, -1)}x`)
    await expect.poll(() => walk.page.locator('#search-fault').innerText()).toContain('checksum')
    await search('<img src=x onerror=alert(1)>')
    await expect.poll(() => walk.page.locator('#search-fault').innerText()).toContain('alice.ton')
    await search('OAK.ton')
    await says('oak.ton', 'wallet v4R2')
    await open()
    // What a jetton calls itself, and the suggestions with its address.
    const box = walk.page.getByRole('combobox', { name: /^Search: / })
    await box.focus()
    await box.fill('aco')
    await expect
      .poll(() =>
        walk.page
          .locator('#search-suggestions option')
          .evaluateAll((all) => all.map((each) => [(each as HTMLOptionElement).value, each.textContent])),
      )
      .toEqual([[walk.known.jetton, expect.stringMatching(/^Acorn \(ACRN\) \S+…\S+$/)]])
    await search('acorn')
    await expect.poll(() => walk.page.url()).toContain(`#/account/${walk.known.jetton}`)
    await open()
    // A part of what only one jetton calls itself.
    await search('aCoR')
    await expect.poll(() => walk.page.url()).toContain(`#/account/${walk.known.jetton}`)
    // A jetton that was deployed after the names were loaded.
    const { address } = await walk.service.call('local.deployJetton', { name: 'Younger', symbol: 'YNGR' })
    const searched = async (): Promise<string> => {
      await search('younger')
      return walk.page.url()
    }
    await expect.poll(searched, { interval: 500 }).toContain(`#/account/${address}`)
    const { transactions } = await walk.service.call('v3.transactions', { hash: [walk.known.mint] })
    await search(transactions[0]!.lt)
    await expect.poll(() => walk.page.url()).toContain('#/tx/')
    await search('99999999999999')
    await expect.poll(() => walk.page.locator('#search-fault').innerText()).toBe('No transaction has the logical time 99999999999999.')
    await search('no-such-name.ton')
    await expect.poll(() => walk.page.locator('#search-fault').innerText()).toContain('is not known')
  })
}
