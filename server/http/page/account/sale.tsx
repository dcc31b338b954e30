import type { ComponentChildren } from 'preact'
import { useCall } from '../base/call.ts'
import { useNow } from '../base/clock.ts'
import { tame } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { tokenOf } from '../base/token.ts'
import type { Answer, Names } from '../base/types.ts'
import { Account } from '../parts/address.tsx'
import { Card, Facts, Loading } from '../parts/layout.tsx'
import { imageOf, TokenPicture } from '../parts/token.tsx'
import { Amount, Badge, FullTime } from '../parts/values.tsx'
import type { Subject } from './account.tsx'

/* What a contract that sells an NFT is, above what any account has. */

type Sale = Answer<'v3.nft.sales'>['nft_sales'][number]

/** An amount that is there and not zero. */
const coinsOf = (of: string | undefined): ComponentChildren => (of === undefined || of === '0' ? undefined : <Amount of={of} />)

const highestBid = (of: string | undefined, isOpen: boolean): ComponentChildren =>
  coinsOf(of) ?? <span class="dim">{isOpen ? 'none yet' : 'none'}</span>

/** What is left of a price after these amounts, in nanotons; undefined where they are more than the price. */
const sellerGets = (price: string, others: readonly (string | undefined)[]): string | undefined => {
  const left = others.reduce((sum, each) => sum - BigInt(each ?? 0), BigInt(price))
  return left < 0n ? undefined : left.toString()
}

/** How a sale stands at a time (unix seconds). `isOpen`: it can still be bought or bid for. */
const stateOf = (sale: Sale, now: number): { readonly text: string; readonly isOpen: boolean } => {
  if (sale.type === 'getgems_sale') return sale.details.is_complete ? { text: 'over', isOpen: false } : { text: 'on sale', isOpen: true }
  if (sale.type === 'getgems_auction') {
    if (sale.details.is_canceled) return { text: 'called off', isOpen: false }
    if (sale.details.end_flag) return { text: 'over', isOpen: false }
  }
  const end = sale.details.end_time ?? 0
  return end !== 0 && end < now ? { text: 'ended', isOpen: false } : { text: 'auction', isOpen: true }
}

/** A name of Telegram: a username, or the digits of an anonymous number. */
const telegramName = (name: string | undefined): readonly [string, ComponentChildren] =>
  name !== undefined && /^\d{8,}$/.test(name) ? ['Number', `+${name}`] : ['Username', name === undefined ? undefined : `@${tame(name, 40)}`]

const saleRows = (sale: Sale, names: Names, isOpen: boolean): readonly (readonly [string, ComponentChildren])[] => {
  switch (sale.type) {
    case 'getgems_sale': {
      const { full_price, marketplace_fee, royalty_amount, royalty_address } = sale.details
      return [
        ['Price', <Amount of={full_price} />],
        ['Marketplace gets', <Amount of={marketplace_fee} />],
        ['Royalty', <Amount of={royalty_amount} />],
        ['Seller gets', coinsOf(sellerGets(full_price, [marketplace_fee, royalty_amount]))],
        ['Royalty goes to', royalty_address ? <Account of={royalty_address} names={names} /> : undefined],
      ]
    }
    case 'getgems_auction': {
      const { last_bid, last_member, min_step, min_bid, max_bid, end_time } = sale.details
      return [
        ['Highest bid', highestBid(last_bid, isOpen)],
        ['Highest bidder', last_member ? <Account of={last_member} names={names} /> : undefined],
        ['Min first bid', coinsOf(min_bid)],
        ['Each bid adds', `${min_step} % at least`],
        ['Buy now for', coinsOf(max_bid)],
        [isOpen ? 'Ends' : 'End', end_time === 0 ? undefined : <FullTime of={end_time} />],
      ]
    }
    case 'telemint': {
      const { token_name, bid, bidder_address, min_bid, max_bid, end_time } = sale.details
      return [
        telegramName(token_name),
        ['Highest bid', highestBid(bid, isOpen)],
        ['Highest bidder', bidder_address ? <Account of={bidder_address} names={names} /> : undefined],
        ['Next bid from', isOpen ? coinsOf(min_bid) : undefined],
        ['Buy now for', coinsOf(max_bid)],
        [isOpen ? 'Ends' : 'End', end_time === undefined || end_time === 0 ? undefined : <FullTime of={end_time} />],
      ]
    }
  }
}

const TITLES: Readonly<Record<Sale['type'], string>> = {
  getgems_sale: 'Sale of an NFT',
  getgems_auction: 'Auction of an NFT',
  telemint: 'Auction of a name',
}

/** The picture of the NFT that is sold. */
const ItemPicture = ({ of, names }: { readonly of: string; readonly names: Names }) => {
  const token = tokenOf(of, names)
  return <TokenPicture image={imageOf(token)} name={token?.name ?? ''} id={of} size={72} />
}

/** Price or bids of a contract that sells an NFT. `at`: whether it is shown on the view of the NFT or of the contract. */
export const Sold = ({ raw, at }: { readonly raw: string; readonly at: 'item' | 'sale' }) => {
  const now = useNow()
  const answer = useCall((signal) => ton.v3.nft.sales({ address: [raw] }, { signal }), ['sale', raw], true)
  return (
    <Loading of={answer}>
      {({ nft_sales: [sale], address_book, metadata }) => {
        if (sale === undefined) return null
        // An item of Telegram can be auctioned, but is not always.
        if (sale.type === 'telemint' && sale.details.end_time === undefined) return null
        const { text, isOpen } = stateOf(sale, now)
        const names = { book: address_book, metadata }
        return (
          <Card title={TITLES[sale.type]} side={<Badge tone={isOpen ? 'warn' : 'plain'}>{text}</Badge>}>
            <Facts
              rows={[
                ...saleRows(sale, names, isOpen),
                // A name sells itself.
                [
                  'NFT',
                  at === 'sale' && sale.nft_address && sale.nft_address !== raw ? (
                    <span class="token-name">
                      <ItemPicture of={sale.nft_address} names={names} />
                      <Account of={sale.nft_address} names={names} />
                    </span>
                  ) : undefined,
                ],
                ['Contract', at === 'item' ? <Account of={sale.address} names={names} /> : undefined],
                ['Seller', sale.nft_owner_address ? <Account of={sale.nft_owner_address} names={names} /> : undefined],
                ['Marketplace', sale.marketplace_address ? <Account of={sale.marketplace_address} names={names} /> : undefined],
              ]}
            />
          </Card>
        )
      }}
    </Loading>
  )
}

/** The same for the view of the contract. */
export const SaleCard = ({ of: { raw } }: { readonly of: Subject }) => <Sold raw={raw} at="sale" />
