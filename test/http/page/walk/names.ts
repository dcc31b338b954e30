import { expect, it } from 'vitest'
import { answerOf, type Walk } from './walk.ts'

/* Names that are auctioned, and items that are for sale, as the views of the items show them. */

export const names = (walk: Walk): void => {
  const { open, says } = walk

  it('the view of a username shows its auction: the highest bid, who made it, the min next bid and the end', async () => {
    await open('account', walk.known.username)
    await says(
      /Auction of a name\s+auction/,
      /Username\s+oak/,
      /Owner\s+none yet: at auction/,
      /Highest bid\s+12 TON/,
      /By\s+\S+…/,
      /Min next bid\s+12\.6 TON/,
    )
    await says(/Buy now for\s+500 TON/, /Ends\s+.*\(in \d+/)
  })

  it('the view of a .ton name shows its auction and where the name leads', async () => {
    await open('account', walk.known.name)
    await says(/birch\.ton\s+auction/, /Highest bid\s+7 TON/, /Min next bid\s+7\.35 TON/, /Ends\s+.*\(in \d+/, /Wallet\s+[EU]QCxsbGx/)
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
