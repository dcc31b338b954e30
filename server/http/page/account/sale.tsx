import type { ComponentChildren } from 'preact'
import { useCall } from '../base/call.ts'
import { ton } from '../base/service.ts'
import type { Answer, Names } from '../base/types.ts'
import { Card, Facts, Loading } from '../parts/layout.tsx'
import { Account, Amount, Badge, FullTime } from '../parts/values.tsx'
import type { Subject } from './account.tsx'

/* What a contract that sells an NFT is, above what any account has. */

type Sale = Answer<'v3.nft.sales'>['nft_sales'][number]

const saleRows = (sale: Sale, names: Names): readonly (readonly [string, ComponentChildren])[] => {
  switch (sale.type) {
    case 'getgems_sale': {
      const { full_price, marketplace_fee, royalty_amount, royalty_address } = sale.details
      return [
        ['Price', <Amount of={full_price} />],
        ['Marketplace gets', <Amount of={marketplace_fee} />],
        ['Royalty', <Amount of={royalty_amount} />],
        ['Royalty goes to', royalty_address ? <Account of={royalty_address} names={names} /> : undefined],
      ]
    }
    case 'getgems_auction': {
      const { last_bid, last_member, min_step, end_time } = sale.details
      return [
        ['Highest bid', <Amount of={last_bid} />],
        ['By', last_member ? <Account of={last_member} names={names} /> : undefined],
        ['Each bid adds', `${min_step} % at least`],
        ['Ends', <FullTime of={end_time} />],
      ]
    }
    case 'telemint': {
      const { token_name, bid, bidder_address, min_bid, max_bid, end_time } = sale.details
      return [
        ['Stands for', token_name],
        ['Highest bid', bid === undefined ? undefined : <Amount of={bid} />],
        ['By', bidder_address ? <Account of={bidder_address} names={names} /> : undefined],
        ['Least next bid', min_bid === undefined ? undefined : <Amount of={min_bid} />],
        ['Sold at once for', max_bid === '0' ? undefined : <Amount of={max_bid} />],
        ['Ends', end_time === undefined || end_time === 0 ? undefined : <FullTime of={end_time} />],
      ]
    }
  }
}

const stateOf = (sale: Sale): ComponentChildren => {
  const over = sale.type === 'getgems_sale' ? sale.details.is_complete : sale.type === 'getgems_auction' && sale.details.end_flag
  return over ? <Badge>over</Badge> : <Badge tone="warn">{sale.type === 'getgems_sale' ? 'for sale' : 'auction'}</Badge>
}

/** Price or bids of a contract that sells an NFT. */
export const SaleCard = ({ of: { raw } }: { readonly of: Subject }) => {
  const answer = useCall((signal) => ton.v3.nft.sales({ address: [raw] }, { signal }), ['sale', raw], true)
  return (
    <Loading of={answer}>
      {({ nft_sales: [sale], address_book, metadata }) => {
        if (sale === undefined) return null
        const names = { book: address_book, metadata }
        return (
          <Card title={sale.type === 'getgems_sale' ? 'Sale of an NFT' : 'Auction of an NFT'} side={stateOf(sale)}>
            <Facts
              rows={[
                ['NFT', sale.nft_address ? <Account of={sale.nft_address} names={names} /> : undefined],
                ['Seller', sale.nft_owner_address ? <Account of={sale.nft_owner_address} names={names} /> : undefined],
                ['Marketplace', sale.marketplace_address ? <Account of={sale.marketplace_address} names={names} /> : undefined],
                ...saleRows(sale, names),
              ]}
            />
          </Card>
        )
      }}
    </Loading>
  )
}
