import { it } from 'vitest'
import type { Walk } from './walk.ts'

/* Names that are auctioned, and items that are for sale, as the views of the items show them. */

export const names = (walk: Walk): void => {
  const { open, says } = walk

  it('the view of a username shows its auction: the highest bid, who made it, the least next bid and the end', async () => {
    await open('account', walk.known.username)
    await says(/Auction of a name\s+auction/, /Stands for\s+oak/, /Highest bid\s+12 TON/, /By\s+\S+…/, /Least next bid\s+12\.6 TON/)
    await says(/Sold at once for\s+500 TON/, /Ends\s+.*\(in \d+/)
  })

  it('the view of a .ton name shows its auction and where the name leads', async () => {
    await open('account', walk.known.name)
    await says(/birch\.ton\s+auction/, /Highest bid\s+7 TON/, /Ends\s+.*\(in \d+/, /Wallet\s+[EU]QCxsbGx/)
  })

  it('the view of an item that is for sale shows its price, its seller and the contract that sells it', async () => {
    await open('account', walk.known.sold)
    await says(/Leaf 2\s+on sale/, /Sale of an NFT\s+for sale/, /Price\s+2 TON/, 'Contract', 'Seller')
  })
}
