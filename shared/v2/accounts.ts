import * as z from 'zod'
import { address } from '../fields/address.ts'
import { int32, nonNegative, positive } from '../fields/ints.ts'
import { text } from '../fields/text.ts'
import { method } from '../method.ts'
import { accountStatus, addressInformation, extendedAddressInformation, walletInformation } from '../models/account.ts'
import { dnsResolved } from '../models/dns.ts'
import { tvmCell } from '../models/stack.ts'
import { tokenData } from '../models/token.ts'
import { nanotons } from '../models/value-formats.ts'
import { FRIENDLY, NON_BOUNCEABLE, RAW } from '../samples.ts'

const read = { heading: 'Accounts', effect: 'read', needs: 'chain', rest: 'GET, POST', weight: 1, cache: 'head' } as const

const asOf = () => int32('The masterchain block at which the state is read; by default the newest.', positive).optional()
/** Methods about one account. */
const ofAccount = {
  ...read,
  examples: [{ title: 'now', params: { address: FRIENDLY } }],
  params: z.object({ address: address('The account that is asked about.'), seqno: asOf() }),
} as const

export const accounts = {
  getAddressInformation: method({
    ...ofAccount,
    summary: 'Balance, code, data and last transaction of an account.',
    examples: [
      { title: 'now', params: { address: FRIENDLY } },
      { title: 'at a masterchain block', params: { address: RAW, seqno: 1 } },
    ],
    result: addressInformation,
  }),
  getExtendedAddressInformation: method({
    ...ofAccount,
    summary: 'State of an account with what its contract is known to be.',
    examples: [{ title: 'flags are kept', params: { address: NON_BOUNCEABLE } }],
    result: extendedAddressInformation,
  }),
  getWalletInformation: method({
    ...ofAccount,
    summary: 'Kind, seqno and id of a wallet.',
    result: walletInformation,
  }),
  getAddressBalance: method({
    ...ofAccount,
    summary: 'Balance of an account in nanograms.',
    examples: [
      { title: 'now', params: { address: FRIENDLY } },
      { title: 'at a masterchain block', params: { address: FRIENDLY, seqno: '1' } },
    ],
    result: nanotons('Balance of the account.'),
  }),
  getAddressState: method({
    ...ofAccount,
    summary: 'Status of an account: uninitialized, active or frozen.',
    result: accountStatus,
  }),
  getTokenData: method({
    ...ofAccount,
    summary: 'Data of a jetton master or wallet, an NFT collection or item (TEP-64, TEP-74, TEP-62, TEP-81).',
    examples: [{ title: 'an account that is no token', params: { address: FRIENDLY }, fails: 'NOT_A_TOKEN' }],
    result: tokenData,
    errors: ['NOT_A_TOKEN'],
  }),
  getShardAccountCell: method({
    ...ofAccount,
    summary: 'The ShardAccount of an account as a cell.',
    result: tvmCell,
  }),
  dnsResolve: method({
    ...read,
    summary: 'Resolves a TON DNS name, starting at a resolver contract.',
    examples: [{ title: 'a resolver without code', params: { address: FRIENDLY, name: 'example' }, fails: 'CHAIN' }],
    params: z.object({
      address: address(
        'The resolver that is asked first: the root of TON DNS (configuration parameter 4), or any contract with `dnsresolve`.',
      ),
      name: text('The name to resolve, without the part that the resolver itself stands for.', 1024, 'alice.ton').default(''),
      category: z
        .unknown()
        .meta({
          description: 'Accepted and ignored, as TON Center does: the records of all categories are answered.',
          examples: ['wallet'],
        })
        .optional(),
      ttl: int32('How many further resolvers may be asked, one after another.', nonNegative).optional(),
      seqno: asOf(),
    }),
    result: dnsResolved,
  }),
}
