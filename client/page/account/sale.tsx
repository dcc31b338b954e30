import type { ComponentChildren } from 'preact'
import { useNow } from '../base/clock.ts'
import { ton } from '../base/service.ts'
import { tokenOf } from '../base/token-metadata.ts'
import type { Answer } from '../base/types.ts'
import { Account } from '../parts/address.tsx'
import { useNames } from '../parts/answer-names.tsx'
import { Card, type FactRows, Facts } from '../parts/layout.tsx'
import { imageOf, TokenPicture } from '../parts/token.tsx'
import { Amount, Badge, FullTime } from '../parts/values.tsx'
import { accountPart, type PartProps } from './account-part.tsx'

type Sale = Answer<'v3.nft.sales'>['nft_sales'][number]

/** Undefined for an absent or zero amount. */
const coinsOf = (of: string | undefined): ComponentChildren => (of === undefined || of === '0' ? undefined : <Amount of={of} />)

const highestBid = (of: string | undefined, isOpen: boolean): ComponentChildren =>
  coinsOf(of) ?? <span class="dim">{isOpen ? 'none yet' : 'none'}</span>

/** The price minus royalty and fees, in nanograms. Undefined if these exceed the price. */
const sellerGets = (price: string, others: readonly (string | undefined)[]): string | undefined => {
  const left = others.reduce((sum, each) => sum - BigInt(each ?? 0), BigInt(price))
  return left < 0n ? undefined : left.toString()
}

/** An amount and its receiver. The receiver is also shown if there is no amount. */
const payment = (of: string | undefined, to: string | null | undefined): ComponentChildren =>
  of === undefined && !to ? undefined : (
    <>
      {of !== undefined && <Amount of={of} />}{' '}
      {to && (
        <span class="to">
          <span class="dim">→</span> <Account of={to} />
        </span>
      )}
    </>
  )

interface State {
  readonly text: string
  readonly isOpen: boolean
  readonly isCalledOff?: boolean
}

const stateOf = (sale: Sale, now: number): State => {
  if (sale.type === 'getgems_sale') return sale.details.is_complete ? { text: 'over', isOpen: false } : { text: 'on sale', isOpen: true }
  if (sale.type === 'getgems_auction') {
    if (sale.details.is_canceled) return { text: 'called off', isOpen: false, isCalledOff: true }
    if (sale.details.end_flag) return { text: 'over', isOpen: false }
  }
  const end = sale.details.end_time ?? 0
  return end !== 0 && end < now ? { text: 'ended', isOpen: false } : { text: 'open for bids', isOpen: true }
}

/** The highest bidder, who has won once the auction has ended without being cancelled. */
const bidder = (of: string | null | undefined, state: State): FactRows => ({
  [state.isOpen || state.isCalledOff ? 'Highest bidder' : 'Won by']: of ? <Account of={of} /> : undefined,
})

const saleRows = (sale: Sale, state: State): FactRows => {
  const { isOpen } = state
  switch (sale.type) {
    case 'getgems_sale': {
      const { full_price, marketplace_fee, royalty_amount, royalty_address } = sale.details
      const left = sellerGets(full_price, [marketplace_fee, royalty_amount])
      return {
        Price: <Amount of={full_price} />,
        'Seller gets': payment(left, sale.nft_owner_address),
        Royalty: payment(royalty_amount, royalty_address),
        'Marketplace fee': payment(marketplace_fee, sale.marketplace_address),
      }
    }
    case 'getgems_auction': {
      const { last_bid, last_member, min_step, min_bid, max_bid, end_time } = sale.details
      return {
        'Highest bid': highestBid(last_bid, isOpen),
        ...bidder(last_member, state),
        'First bid at least': coinsOf(min_bid),
        'Each bid adds at least': `${min_step} %`,
        'Ends at once with a bid of': coinsOf(max_bid),
        [isOpen ? 'Ends' : 'Ended']: end_time === 0 ? undefined : <FullTime of={end_time} />,
      }
    }
    case 'telemint': {
      const { bid, bidder_address, min_bid, max_bid, end_time } = sale.details
      return {
        'Highest bid': highestBid(bid, isOpen),
        ...bidder(bidder_address, state),
        'Next bid at least': isOpen ? coinsOf(min_bid) : undefined,
        'Ends at once with a bid of': coinsOf(max_bid),
        [isOpen ? 'Ends' : 'Ended']: end_time === undefined || end_time === 0 ? undefined : <FullTime of={end_time} />,
      }
    }
  }
}

const partiesOf = ({ nft_owner_address: seller, marketplace_address: marketplace }: Sale): FactRows => ({
  Seller: seller ? <Account of={seller} /> : undefined,
  Marketplace: marketplace ? <Account of={marketplace} /> : undefined,
})

const ItemPicture = ({ of }: { readonly of: string }) => {
  const token = tokenOf(of, useNames())
  return <TokenPicture image={imageOf(token)} name={token?.name ?? ''} id={of} size={72} />
}

const loadSale = (raw: string, signal: AbortSignal) => ton.v3.nft.sales({ address: [raw] }, { signal })

interface SoldProps extends PartProps<Answer<'v3.nft.sales'>> {
  /** The view that shows the sale. */
  readonly at: 'item' | 'sale'
}

const Sold = ({ raw, at, data }: SoldProps) => {
  const [sale] = data.nft_sales
  const now = useNow()
  if (sale === undefined) return null
  // A Telegram item without an end time is not at auction.
  if (sale.type === 'telemint' && sale.details.end_time === undefined) return null
  const state = stateOf(sale, now)
  return (
    <Card
      title={sale.type === 'getgems_sale' ? 'Sale' : 'Auction'}
      side={<Badge tone={state.isOpen ? 'open' : 'plain'}>{state.text}</Badge>}
    >
      <Facts
        rows={{
          ...saleRows(sale, state),
          // Omitted if the item is its own sale contract, like a Telegram username.
          NFT:
            at === 'sale' && sale.nft_address && sale.nft_address !== raw ? (
              <span class="token-name">
                <ItemPicture of={sale.nft_address} />
                <Account of={sale.nft_address} />
              </span>
            ) : undefined,
          Contract: at === 'item' ? <Account of={sale.address} /> : undefined,
          // The rows of a fixed-price sale already show seller and marketplace, next to their amounts.
          ...(sale.type !== 'getgems_sale' && partiesOf(sale)),
        }}
      />
    </Card>
  )
}

export const SaleCard = accountPart(loadSale, (props) => <Sold {...props} at="sale" />)
export const ItemSale = accountPart(loadSale, (props) => <Sold {...props} at="item" />)
