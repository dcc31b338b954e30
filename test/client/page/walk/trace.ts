import { Address, beginCell, external, internal, SendMode, storeMessage } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { expect, it } from 'vitest'
import { transferBody } from '../../../kit/chain/jetton-bodies.ts'
import { FRIEND } from '../scene.ts'
import type { Walk } from './walk.ts'

/* A trace as a picture. */

export const trace = (walk: Walk): void => {
  const { open, says } = walk

  it('a trace is shown as a picture whose transactions are chosen by mouse and keyboard', async () => {
    await open('tx', walk.known.mint)
    await walk.unfold()
    const minter = await walk.short(walk.known.jetton)
    await says('Jetton mint', '3 transactions', 'exit code 0')
    // The same units as everywhere: coins of the body in GRAM, jettons by their decimals.
    await says(/Gram amount\s+0\.1\s+GRAM/, /Amount\s+123\.456789\s+ACRN/, /Forward fee\s+0\.000\d+\s+GRAM/)
    // The amount stands in the message for the jetton wallet, which v3 does not decode.
    const received = walk.page.locator('.message', { hasText: 'Message received' })
    await expect
      .poll(() => received.innerText())
      .toMatch(
        new RegExp(`Gram amount\\s+0\\.1\\s+GRAM[\\s\\S]*with\\s+Jetton internal transfer\\s+Amount\\s+123\\.456789\\s+ACRN\\s+${minter}`),
      )
    await expect.poll(() => walk.page.locator('.picture .node').count()).toBe(3)
    const node = walk.page.locator('.picture .node').nth(1)
    expect([await node.locator('.account').textContent(), await node.locator('.kind').first().textContent()]).toEqual([
      'ACRN wallet',
      `of oak.ton · ${minter}`,
    ])
    // Any jetton can call its units the same: whoever looks closely sees the minter.
    await says(new RegExp(`Jetton mint\\s+“Acorn”\\s+${minter}\\s+→\\s+oak\\.ton[\\s\\S]*by oak\\.ton\\s+injected`))
    await says(new RegExp(`To\\s+ACRN ${minter} wallet of oak\\.ton`))
    // The message in full says it, too; those that a transaction sent do not.
    await says(/Message received\s+From\s+oak\.ton\s+injected\s+To\s/)
    expect(await walk.page.locator('.message', { hasText: 'Message sent' }).locator('.injected').count()).toBe(0)
    // The chain was told to deliver the message: the wallet has no transaction that sent it.
    await says(
      // The chain is no fork.
      /3 transactions, started by a message from oak\.ton\. No transaction of the sender sent this message: it was put on the chain by local\.sendInternal\.\s/,
    )
    // A mint is told with every digit on its own page.
    await says(/Jetton mint[\s\S]*123\.456789\sACRN/)
    // Two arrows, each a line and its head, and the coins of each message.
    expect((await walk.page.locator('.picture .lines').getAttribute('d'))!.match(/M/g)).toHaveLength(4)
    expect(await node.locator('.value').textContent()).toBe('0.1 GRAM')
    expect(await walk.page.locator('.picture .legend').count()).toBe(0)
    await says(/Begun by message\s+[0-9a-f]{64}/)
    // The message as it is.
    await received.getByText('Body as a BoC').click()
    await expect.poll(() => received.locator('pre').innerText()).toMatch(/^te6cc/)
    const first = walk.page.locator('.picture .node').first()
    await first.click()
    await walk.page.keyboard.press('ArrowRight')
    await expect.poll(() => walk.page.evaluate(() => document.activeElement?.textContent ?? '')).toContain('ACRN wallet')
    await says('Jetton internal transfer')
    // The minter sent what the wallet received.
    await says(/Message received\s+From\s+“Acorn”/)
    expect(await received.locator('.injected').count()).toBe(0)
  })

  it('the view of a trace shows at a glance what failed, with its exit code and its bounce', async () => {
    await open('tx', walk.known.failed)
    await walk.unfold()
    // The list of actions says the same of the message as the picture.
    await says(/^Transaction[\s\S]*Excess[\s\S]*\S+…\S+\s+injected\s+→\s+“Acorn”[\s\S]*started by a message from \S+…\S+\. No transaction/)
    await says('one transaction failed', 'exit code 65535', 'the contract most likely does not know this opcode', 'value sent back')
    await expect.poll(() => walk.page.locator('.picture .node.failed').count()).toBe(1)
    const reasons = walk.page.locator('.action.failed .reason')
    expect(await reasons.first().innerText()).toBe('exit code 65535, the contract most likely does not know this opcode')
    // It is said once: the bounce that came of it says no more.
    expect(await walk.page.locator('.action', { hasText: 'Bounce' }).locator('.reason').count()).toBe(0)
    // What it received, and how it failed.
    expect(await walk.page.locator('.picture .node.failed .what').textContent()).toBe('Excess · exit code 65535')
    // Every digit stands in the node.
    expect(await walk.page.locator('.picture .node.bounced .value').textContent()).toMatch(/^0\.0498\d{3,} GRAM$/)
    const bounced = walk.page.locator('.picture .node.bounced')
    expect(await bounced.locator('title').textContent()).toMatch(/, wallet \w+, Bounce, 0\.0498\d{3,} GRAM$/)
    // Amber is for what went back.
    expect(await walk.page.locator('main .badge.warn').allInnerTexts()).toEqual(['went back', 'bounced'])
    await says('Dashed: a bounced message, which brings the value back.', /Aborted\s+yes/, /Action phase\s+skipped/)
    // An account without a name is shortened as it is everywhere else.
    const short = await walk.page.locator('.actions .who a .mono').first().innerText()
    expect(await walk.page.locator('.picture .node .account').nth(1).textContent()).toBe(short)
    // It is the returned message that is bounced, as its flag says.
    const messages = walk.page.locator('.message h4')
    expect(await messages.allInnerTexts()).toEqual([
      expect.stringMatching(/^Message received\s+went back$/),
      expect.stringMatching(/^Message sent\s+bounced$/),
    ])
    // Whoever asks what it cost wants all of it.
    const { traces } = await walk.service.call('v3.traces', { tx_hash: [walk.known.failed], limit: 1 })
    const paid = Object.values(traces[0]!.transactions!).flatMap(({ total_fees, out_msgs }) => [
      total_fees,
      ...out_msgs.map(({ fwd_fee }) => fwd_fee ?? '0'),
    ])
    const sum = paid.reduce((all, fee) => all + BigInt(fee), 0n)
    await says(new RegExp(`Total fees\\s+0\\.${sum.toString().padStart(9, '0').replace(/0+$/, '')}\\s+GRAM with the delivery of messages`))
    const failed = traces[0]!.transactions![Buffer.from(walk.known.failed, 'hex').toString('base64')]!
    const text = (nanotons: bigint): string => `0\\.${nanotons.toString().padStart(9, '0').replace(/0+$/, '')}\\s+GRAM`
    const [own, delivery] = [BigInt(failed.total_fees), BigInt(failed.out_msgs[0]!.fwd_fee!)]
    await says(
      new RegExp(`Total fees\\s+${text(own + delivery)}\\s+=\\s+${text(own)} fees \\+ ${text(delivery)} for the delivery of messages`),
    )
    await expect.poll(() => walk.page.locator('.picture .node.bounced').count()).toBe(1)
    // The hash of a message leads to the transaction that received it.
    await walk.page.locator('.message', { hasText: 'Message sent' }).locator('.hash a').first().click()
    await expect.poll(() => walk.page.locator('.picture .node.selected').getAttribute('class')).toContain('bounced')
    expect(await messages.first().innerText()).toMatch(/^Message received\s+bounced$/)
    // The account says that its last transaction failed.
    await open('account', walk.known.jetton)
    await says(/Last transaction\s+.* ago\s+[0-9a-f]{8}…[0-9a-f]{8}\s+failed/)
  })

  it('the view of a transaction runs it again and lists the steps of the TVM', async () => {
    await open('tx', walk.known.failed)
    await walk.page.getByRole('button', { name: 'Show the steps' }).click()
    await says(/\d+ steps/, 'SETCP', /It ended with exit code 65535 and used \d[\d\s]* gas\./, 'The top of a stack is at its right')
    // Entries of a deep stack that are left out are counted.
    await says(/\d+ deeper/, 'Gas left', 'Stack before')
    // Each step says what it used, the last one too: together it is the gas of the transaction.
    const gas = await walk.page.locator('.steps td[data-name="Gas"]').allInnerTexts()
    const numbers = gas.map((text) => Number(text.replaceAll('\u202f', '')))
    const { traces } = await walk.service.call('v3.traces', { tx_hash: [walk.known.failed], limit: 1 })
    const { compute_ph } = traces[0]!.transactions![Buffer.from(walk.known.failed, 'hex').toString('base64')]!.description
    expect(numbers.every((each) => each > 0)).toBe(true)
    expect(String(numbers.reduce((sum, each) => sum + each, 0))).toBe(compute_ph && !compute_ph.skipped ? compute_ph.gas_used : '')
    // The step that failed is seen at once.
    const failing = walk.page.locator('.steps tr.bad')
    expect([await failing.count(), await failing.last().innerText()]).toEqual([1, expect.stringMatching(/THROW\w*[\s\S]*exit code 65535/)])
    // Instructions are searched.
    const box = walk.page.getByRole('searchbox', { name: 'Search instructions' })
    await box.fill('throw')
    await expect
      .poll(() => walk.page.locator('.steps tbody tr').allInnerTexts())
      .toSatisfy((rows: string[]) => rows.length > 0 && rows.every((text) => text.includes('THROW')))
    await box.fill('no such instruction')
    await says('No instruction has this text.')
    await box.fill('')
    // The way to the failure of a long run.
    await walk.page.getByRole('button', { name: 'Go to the failure' }).click()
    await expect.poll(() => walk.page.locator('.steps tbody tr').count()).toBe(21)
    expect(await failing.count()).toBe(1)
    await walk.page.getByRole('button', { name: 'All steps' }).click()
    // A step is a line; cells and slices open to the whole of them.
    const row = walk.page.locator('.steps tbody tr').first()
    const stack = row.locator('td[data-name="Stack before"]')
    expect(await stack.innerText()).toMatch(/C\{[0-9a-f]{8}…[0-9a-f]{8}\}/)
    await stack.locator('summary').click()
    await expect.poll(() => stack.innerText()).toMatch(/C\{[0-9a-f]{64}\}/)
    // On a phone, too, the head of the table says once what every value is, above it, and no value breaks within itself.
    await walk.page.setViewportSize({ width: 390, height: 900 })
    const leftOf = async (name: string): Promise<[number, number]> => {
      const places = [walk.page.locator(`.steps th[data-name="${name}"]`), row.locator(`td[data-name="${name}"]`)]
      const [head, cell] = await Promise.all(places.map((place) => place.boundingBox()))
      return ['Gas', 'Gas left'].includes(name)
        ? [Math.round(head!.x + head!.width), Math.round(cell!.x + cell!.width)]
        : [Math.round(head!.x), Math.round(cell!.x)]
    }
    for (const name of ['Step', 'Gas', 'Gas left']) {
      const [head, cell] = await leftOf(name)
      expect([name, cell]).toEqual([name, head])
    }
    const repeated = await row.locator('td').evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content))
    expect(new Set(repeated)).toEqual(new Set(['none']))
    const heights = await walk.page.locator('.steps .item').evaluateAll((items) => items.map((item) => item.getClientRects()[0]!.height))
    expect(Math.max(...heights)).toBeLessThan(2 * Math.min(...heights.filter((height) => height > 0)))
    // The step that failed has one ground, with nothing of the card between its values.
    const grounds = await failing.evaluate((own) => [own, ...own.children].map((each) => getComputedStyle(each).backgroundColor))
    expect([grounds[0] === 'rgba(0, 0, 0, 0)', new Set(grounds.slice(1))]).toEqual([false, new Set(['rgba(0, 0, 0, 0)'])])
    const region = walk.page.getByRole('region', { name: 'Steps of the TVM' })
    expect(await region.evaluate((own) => own.scrollWidth <= own.clientWidth)).toBe(true)
    await walk.page.setViewportSize({ width: 1280, height: 900 })
    await walk.page.getByRole('button', { name: 'Hide the steps' }).press('Enter')
    await says('It is only replayed: nothing is sent to the chain.')
    expect(await region.count()).toBe(0)
    // Whoever works with a keyboard goes on from the same button.
    expect(await walk.page.evaluate(() => document.activeElement?.textContent)).toBe('Show the steps')
  })

  it('coins for an account without a contract are no failure, and an opcode of a contract’s own has no name of a protocol', async () => {
    // What EVAA's opcode 8 brings too: a query id and an address.
    const body = beginCell().storeUint(8, 32).storeUint(1, 64).storeAddress(Address.parse(FRIEND)).endCell().toBoc().toString('base64')
    const from = walk.known.wallet
    for (const [amount, byte] of [
      ['100000000', '7c'],
      ['1000', '7d'],
    ] as const) {
      const to = `0:${byte.repeat(32)}`
      const { transaction_id } = await walk.service.call('local.sendInternal', { from, to, amount, body, bounce: false })
      await walk.service.indexed()
      await open('tx', Buffer.from(transaction_id.hash, 'base64').toString('hex'))
      await walk.unfold()
      await says('Actions', 'success', 'Opcode 0x00000008', /coins arrived; the account has no contract yet[\s\S]*not run\s+coins arrived/)
      expect(await walk.page.locator('main').innerText()).not.toMatch(/failed|EVAA/i)
      expect(await walk.page.locator('.failed, .badge.bad').count()).toBe(0)
    }
  })

  it('the view of a transaction begins with what happened, and folds bodies: it is a few screens tall', async () => {
    await open('tx', walk.known.mint)
    await says(
      /^Transaction[\s\S]*Actions\s+success[\s\S]*Jetton mint[\s\S]*Total fees[\s\S]*Balance changes[\s\S]*\+\s*123\.456789\s+ACRN[\s\S]*Trace\s+3 transactions/,
    )
    // The wallet of the new owner comes with the mint. Nobody deployed it.
    expect(await walk.page.locator('.actions').first().innerText()).not.toContain('Deploy')
    const shown = walk.page.locator('.message .tree')
    expect(await shown.count()).toBe(0)
    await says('Body: Jetton mint')
    const height = (): Promise<number> => walk.page.evaluate(() => document.documentElement.scrollHeight)
    expect(await height()).toBeLessThan(2_400)
    await walk.page.setViewportSize({ width: 390, height: 900 })
    expect(await height()).toBeLessThan(3_600)
    await walk.page.setViewportSize({ width: 1280, height: 900 })
  })

  it('the view of a wallet’s own transaction says when it was, what it did and sent, and has its body in words', async () => {
    const { service, known, page } = walk
    const { publicKey, secretKey } = (await service.faucet()).keys
    const wallet = WalletContractV4.create({ workchain: 0, publicKey })
    expect(wallet.address.equals(Address.parse(known.wallet))).toBe(true)
    const { seqno } = await service.call('v3.walletInformation', { address: known.wallet })
    const messages = [internal({ to: Address.parse(FRIEND), value: '1.5', bounce: false, body: 'for tea' })]
    const timeout = Math.floor(Date.now() / 1000) + 3_600
    const body = wallet.createTransfer({ seqno: seqno!, secretKey, messages, timeout, sendMode: SendMode.PAY_GAS_SEPARATELY })
    const message = storeMessage(external({ to: wallet.address, body }))
    await service.call('sendBoc', { boc: beginCell().store(message).endCell().toBoc().toString('base64') })
    await service.settle()
    const { transactions } = await service.call('v3.transactions', { account: [known.wallet], limit: 1 })
    const { hash, now } = transactions[0]!
    await open('tx', Buffer.from(hash, 'base64').toString('hex'))
    const written = (utime: number): string => {
      const text = new Date(utime * 1_000).toISOString()
      return `\\w+ ${Number(text.slice(8, 10))}, ${text.slice(0, 4)}, ${text.slice(11, 19)} UTC`
    }
    await says(
      /^Transaction[\s\S]*Actions\s+success\s+Transfer\s+oak\.ton\s+→[\s\S]*1\.5\s+GRAM[\s\S]*for tea[\s\S]*Balance changes/,
      new RegExp(`Time\\s+${written(now)} \\(`),
      /Message received\s+From\s+outside[\s\S]*Body: Wallet signed v4[\s\S]*Message sent\s+From\s+oak\.ton[\s\S]*Value\s+1\.5\s+GRAM[\s\S]*Steps of the TVM/,
    )
    await walk.whole(page)
    const height = (): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight)
    expect(await height()).toBeLessThan(2_400)
    await page.setViewportSize({ width: 390, height: 900 })
    expect(await height()).toBeLessThan(3_600)
    await page.setViewportSize({ width: 1280, height: 900 })
    await walk.unfold()
    await says(
      /\d gas, accepted on a credit of 10\s000,/,
      /Signature\s+[0-9a-f]{128}\s/,
      new RegExp(`Valid until\\s+${written(timeout)}`),
      /Grams\s+1\.5\s+GRAM/,
      /Text\s+for tea/,
    )
    expect(await walk.text()).not.toMatch(/\b(?=[\dA-F]*[A-F])[\dA-F]{64,}\b|gas of 0/)
  })

  it('a transfer of jettons that fails tells the jettons and who was to get them, and not the coins that it brought', async () => {
    const friend = Address.parse(FRIEND)
    const recipient = friend.toString({ bounceable: false })
    const parties = new RegExp(`→\\s*${recipient.slice(0, 6)}…${recipient.slice(-6)}$`)
    const body = transferBody({ amount: 900_000_000_000n, to: friend, response: friend, forward: 1n })
    const { transaction_id: sent } = await walk.service.call('local.sendInternal', {
      from: walk.known.wallet,
      to: walk.known.jettonWallet,
      amount: '200000000',
      body: body.toBoc().toString('base64'),
    })
    await walk.service.settle()
    await open('tx', Buffer.from(sent.hash, 'base64').toString('hex'))
    const failed = walk.page.locator('.action.failed', { hasText: 'Jetton transfer' })
    await expect.poll(() => failed.locator('.much').innerText()).toMatch(/^900\s000\s+ACRN/)
    await expect.poll(() => failed.locator('.who').innerText()).toMatch(parties)
    await open('account', walk.known.wallet)
    await expect.poll(() => failed.first().locator('.much').innerText()).toMatch(/^900\s000\s+ACRN/)
    await expect.poll(() => failed.first().locator('.who').innerText()).toMatch(parties)
  })

  it('the view of a transaction has it as a BoC', async () => {
    const { transactions } = await walk.service.call('v3.transactions', { hash: [walk.known.failed] })
    const { account, lt } = transactions[0]!
    const [expected] = await walk.service.call('getTransactions', { address: account, lt, hash: walk.known.failed, limit: 1 })
    await open('tx', walk.known.failed)
    const listing = walk.page.locator('details', { hasText: 'Transaction as a BoC' })
    await listing.locator('summary').click()
    await expect.poll(() => listing.innerText()).toContain(expected!.data)
  })

  it('the numbers of a list of printed texts have room inside its card', async () => {
    const [room, wanted] = await walk.page.evaluate(() => {
      const list = document.createElement('ol')
      list.className = 'mono wrap'
      const number = document.createElement('span')
      number.className = 'mono'
      // The number of the last of the texts that a run can have.
      number.textContent = '100.'
      document.querySelector('main')!.append(list, number)
      const sizes = [Number.parseFloat(getComputedStyle(list).paddingLeft), number.getBoundingClientRect().width]
      list.remove()
      number.remove()
      return sizes as [number, number]
    })
    expect(room).toBeGreaterThan(wanted)
  })
}
