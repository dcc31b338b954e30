import { Address } from '@ton/core'
import { expect, it } from 'vitest'
import { answerOf, type Walk } from './walk.ts'

/* Names that are auctioned, and items that are for sale, as the views of the items show them. */

export const names = (walk: Walk): void => {
  const { open, says } = walk

  it('the view of a username shows its auction: the highest bid, who made it, the min next bid and the end', async () => {
    await open('account', walk.known.username)
    await says(
      /Auction of a name\s+auction/,
      /Username\s+@oak/,
      /Owner\s+none yet: at auction/,
      /Highest bid\s+12 TON/,
      /By\s+\S+…/,
      /Min next bid\s+12\.6 TON/,
    )
    await says(/Buy now for\s+500 TON/, /Ends\s+.*\(in \d+/)
  })

  it('the view of a .ton name shows its auction and where the name leads', async () => {
    await open('account', walk.known.name)
    await says(
      /Domain birch\.ton\s+auction/,
      /Highest bid\s+7 TON/,
      /Min next bid\s+7\.35 TON/,
      /Ends\s+.*\(in \d+/,
      /Wallet\s+[EU]QCxsbGx/,
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

  it('an NFT that only calls itself a name is not called by it', async () => {
    const claim = (key: string, value: unknown) =>
      key === 'token_info' ? [{ type: 'nft_items', name: 'alice.ton', extra: { domain: 'alice.ton' } }] : value
    await answerOf(walk.page, 'v3.accountStates', (result) => JSON.parse(JSON.stringify(result), claim))
    await open()
    await open('account', walk.known.item)
    await expect.poll(() => walk.page.locator('main h1').innerText()).toMatch(/^EQ\w+…/)
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
    await says(/Leaf 2\s+on sale/, /Sale of an NFT\s+on sale/, /Price\s+2 TON/, 'Contract', 'Seller')
  })
}
