import { useCall } from '../base/call.ts'
import { useNow } from '../base/clock.ts'
import { ton } from '../base/service.ts'
import type { Answer } from '../base/types.ts'
import { Account } from '../parts/address.tsx'
import { Card, Facts, Loading } from '../parts/layout.tsx'
import { Amount, Badge, FullTime, Hash } from '../parts/values.tsx'
import { shownValue } from './stack.ts'

/** Seconds after which an unpaid name is lost: 366 days, as in the contract of .ton names. */
const PAID_FOR = 366 * 86_400
/** Maximum number of characters of a name that the service resolves. */
const LONGEST_NAME = 512

const DIGITS = /^\d{1,90}$/
/** The lowest next bid in nanograms. The contract of .ton names requires 5 % more than the last bid. */
const nextBid = (bid: string): string => ((BigInt(bid) * 105n) / 100n).toString()

type Ran = Answer<'runGetMethod'>

/**
 * Reads `(max_bid_address, max_bid_amount, auction_end_time)` of get_auction_info: `bid` in nanograms, `end` in unix seconds. Undefined if there was no
 * auction, or if it was settled.
 */
const auctionOf = ({ exit_code, stack }: Ran) => {
  if (exit_code !== 0 || stack.length !== 3) return undefined
  const [bidder, bid, end] = stack.map(shownValue)
  const time = Number(end!.text)
  return bidder!.address === undefined || !(time > 0) ? undefined : { bidder: bidder!.address, bid: bid!.text, end: time }
}

type Auction = NonNullable<ReturnType<typeof auctionOf>>

const load = async (raw: string, domain: string, signal: AbortSignal) => {
  const [found, auction, filled] = await ton.batch(
    [
      { method: 'v3.dns.records', params: { domain, limit: 10 } },
      { method: 'runGetMethod', params: { address: raw, method: 'get_auction_info', stack: [] } },
      { method: 'runGetMethod', params: { address: raw, method: 'get_last_fill_up_time', stack: [] } },
    ],
    { signal },
  )
  // INVALID_PARAMS: the text cannot be a name, so it has no record.
  if (!found.ok && found.error.kind !== 'INVALID_PARAMS') throw found.error
  const paid = filled.ok && filled.result.exit_code === 0 ? Number(shownValue(filled.result.stack[0]).text) : 0
  return {
    // Any NFT can claim to be a name. Only the index knows whether the claim is true.
    record: found.ok ? found.result.records.find(({ nft_item_address }) => nft_item_address === raw) : undefined,
    address_book: found.ok ? found.result.address_book : undefined,
    auction: auction.ok ? auctionOf(auction.result) : undefined,
    paid: paid > 0 ? paid : undefined,
  }
}

const AuctionCard = ({ of: { bid, bidder, end }, isOpen }: { readonly of: Auction; readonly isOpen: boolean }) => (
  <Card title="Auction" side={isOpen ? <Badge tone="open">open for bids</Badge> : undefined}>
    <Facts
      rows={{
        'Highest bid': <Amount of={bid} />,
        [isOpen ? 'Highest bidder' : 'Won by']: <Account of={bidder} />,
        'Next bid at least': isOpen && DIGITS.test(bid) ? <Amount of={nextBid(bid)} /> : undefined,
        [isOpen ? 'Ends' : 'Auction ended']: <FullTime of={end} />,
      }}
    />
  </Card>
)

/** Records and auction of a name. Renders nothing for an NFT that falsely claims to be a name. */
export const NameCard = ({ raw, domain }: { readonly raw: string; readonly domain: string }) => {
  const now = useNow()
  const isName = domain.length <= LONGEST_NAME && !domain.includes('\0')
  const answer = useCall(isName ? (signal) => load(raw, domain, signal) : undefined, ['name', raw, domain], true)
  if (!isName) return null
  return (
    <Loading of={answer}>
      {({ record, auction, paid }) => {
        if (record === undefined) return null
        const { dns_wallet, dns_site_adnl, dns_storage_bag_id, dns_next_resolver } = record
        const leadsNowhere = !(dns_wallet || dns_site_adnl || dns_storage_bag_id || dns_next_resolver)
        // Telegram usernames rarely have records, and their auctions have no get_auction_info. Without record and auction the card would be empty.
        if (leadsNowhere && auction === undefined && domain.endsWith('.t.me')) return null
        const isOpen = auction !== undefined && auction.end > now
        return (
          <>
            {auction && <AuctionCard of={auction} isOpen={isOpen} />}
            <Card title="Domain">
              <Facts
                rows={{
                  'Linked wallet': dns_wallet ? <Account of={dns_wallet} /> : <span class="dim">none</span>,
                  'Site (ADNL)': dns_site_adnl ? <Hash of={dns_site_adnl} /> : undefined,
                  'Storage bag': dns_storage_bag_id ? <Hash of={dns_storage_bag_id} /> : undefined,
                  'Resolves below': dns_next_resolver ? <Account of={dns_next_resolver} /> : undefined,
                  'Paid until': paid && !isOpen ? <FullTime of={paid + PAID_FOR} /> : undefined,
                }}
              />
            </Card>
          </>
        )
      }}
    </Loading>
  )
}
