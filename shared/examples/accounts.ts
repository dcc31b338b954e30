import type { accounts } from '../v2/accounts.ts'
import type { Examples } from './example.ts'
import { FRIENDLY, NON_BOUNCEABLE, RAW } from './values.ts'

export const accountsExamples = {
  getAddressInformation: [
    { title: 'now', params: { address: FRIENDLY } },
    { title: 'at a masterchain block', params: { address: RAW, seqno: 1 } },
  ],
  getExtendedAddressInformation: [{ title: 'flags are kept', params: { address: NON_BOUNCEABLE } }],
  getWalletInformation: [{ title: 'now', params: { address: FRIENDLY } }],
  getAddressBalance: [
    { title: 'now', params: { address: FRIENDLY } },
    { title: 'at a masterchain block', params: { address: FRIENDLY, seqno: '1' } },
  ],
  getAddressState: [{ title: 'now', params: { address: FRIENDLY } }],
  getTokenData: [{ title: 'an account that is no token', params: { address: FRIENDLY }, fails: 'NOT_A_TOKEN' }],
  getShardAccountCell: [{ title: 'now', params: { address: FRIENDLY } }],
  dnsResolve: [{ title: 'a resolver without code', params: { address: FRIENDLY, name: 'example' }, fails: 'CHAIN' }],
} satisfies Examples<keyof typeof accounts>
