import type { dns } from '../v3/dns.ts'
import type { jettons } from '../v3/jettons.ts'
import type { nfts } from '../v3/nfts.ts'
import type { Examples } from './example.ts'
import { FRIENDLY, RAW } from './values.ts'

type Assets = typeof jettons & typeof nfts & typeof dns

export const assetsExamples = {
  'v3.jetton.masters': [
    { title: 'the first', params: { limit: 3 } },
    { title: 'of an admin', params: { admin_address: [FRIENDLY] } },
  ],
  'v3.jetton.wallets': [
    { title: 'of an owner', params: { owner_address: [FRIENDLY], exclude_zero_balance: true } },
    { title: 'by cursor', params: { limit: 2, cursor: '' } },
  ],
  'v3.jetton.transfers': [
    { title: 'the newest', params: { limit: 3 } },
    { title: 'to an owner', params: { owner_address: [RAW], direction: 'in', sort: 'asc' } },
  ],
  'v3.jetton.burns': [{ title: 'the newest', params: { limit: 3 } }],
  'v3.nft.collections': [{ title: 'the first', params: { limit: 3 } }],
  'v3.nft.items': [
    { title: 'of an owner, on sale or not', params: { owner_address: [FRIENDLY], include_on_sale: true } },
    { title: 'by index', params: { collection_address: [RAW], index: ['0', '1'] } },
    { title: 'by cursor', params: { limit: 2, cursor: '' } },
  ],
  'v3.nft.transfers': [
    { title: 'the newest', params: { limit: 3 } },
    { title: 'from an owner', params: { owner_address: [RAW], direction: 'out' } },
  ],
  'v3.nft.sales': [{ title: 'of one that sells nothing', params: { address: [RAW] } }],
  'v3.dns.records': [
    { title: 'of a wallet', params: { wallet: FRIENDLY } },
    { title: 'of a name', params: { domain: 'alice.ton' } },
  ],
  'v3.dns.activeAuctions': [{ title: 'of a bidder', params: { bidder: FRIENDLY, state: 'bidding' } }],
} satisfies Examples<keyof Assets>
