import * as z from 'zod'
import { address } from '../fields/address.ts'
import { int32, nonNegative, positive } from '../fields/ints.ts'
import { text } from '../fields/text.ts'
import { method } from '../method.ts'
import { accountStatus, addressInformation, extendedAddressInformation, walletInformation } from '../models/account.ts'
import { dnsResolved } from '../models/dns.ts'
import { tvmCell } from '../models/stack.ts'
import { tokenData } from '../models/token.ts'
import { decimal } from '../models/wire.ts'

const read = { effect: 'read', needs: 'chain', rest: 'GET, POST', weight: 1, cache: 'head' } as const

/** An account at a masterchain block, the newest unless `seqno` says which. */
const accountAt = z.object({ address: address(), seqno: int32(positive).optional() })

/** State of one account. */
export const accounts = {
  getAddressInformation: method({
    ...read,
    summary: 'Balance, code, data and last transaction of an account.',
    params: accountAt,
    result: addressInformation,
  }),
  getExtendedAddressInformation: method({
    ...read,
    summary: 'State of an account with what its contract is known to be.',
    params: accountAt,
    result: extendedAddressInformation,
  }),
  getWalletInformation: method({
    ...read,
    summary: 'Kind, seqno and id of a wallet.',
    params: accountAt,
    result: walletInformation,
  }),
  getAddressBalance: method({
    ...read,
    summary: 'Balance of an account in nanotons.',
    params: accountAt,
    result: decimal(),
  }),
  getAddressState: method({
    ...read,
    summary: 'Status of an account: uninitialized, active or frozen.',
    params: accountAt,
    result: accountStatus,
  }),
  getTokenData: method({
    ...read,
    summary: 'Data of a jetton master or wallet, an NFT collection or item (TEP-64, TEP-74, TEP-62, TEP-81).',
    params: accountAt,
    result: tokenData,
    errors: ['NOT_A_TOKEN'],
  }),
  getShardAccountCell: method({
    ...read,
    summary: 'The ShardAccount of an account as a cell.',
    params: accountAt,
    result: tvmCell,
  }),
  dnsResolve: method({
    ...read,
    summary: 'Resolves a TON DNS name, starting at a resolver contract.',
    params: z.object({
      address: address(),
      name: text(1024).default(''),
      // Taken and ignored, as TON Center does: all categories are answered.
      category: z.unknown().optional(),
      ttl: int32(nonNegative).optional(),
      seqno: int32(positive).optional(),
    }),
    result: dnsResolved,
  }),
}
