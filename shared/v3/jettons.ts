import { rule } from '../fields/field.ts'
import { addresses, v3Address } from '../fields/v3/addresses-and-hashes.ts'
import { MORE } from '../fields/v3/list.ts'
import { side, v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3JettonBurns, v3JettonMasters, v3JettonTransfers, v3JettonWallets } from '../models/v3/jettons.ts'
import { FRIENDLY, RAW } from '../samples.ts'
import { listParams, orderedPage, provenListParams, reads, sortedPage, walkedPage, window } from './common.ts'

const read = reads('Jettons')

export const jettons = {
  'v3.jetton.masters': method({
    ...read,
    page: { rows: 'jetton_masters', max: 1000 },
    summary: 'Jetton masters by address or admin, in the order in which they appeared.',
    examples: [
      { title: 'the first', params: { limit: 3 } },
      { title: 'of an admin', params: { admin_address: [FRIENDLY] } },
    ],
    params: listParams({
      address: addresses('Only these jetton masters.', MORE).optional(),
      admin_address: addresses('Only jettons whose admin is one of these accounts.', MORE).optional(),
      ...walkedPage,
    }),
    result: v3JettonMasters,
  }),
  'v3.jetton.wallets': method({
    ...read,
    page: { rows: 'jetton_wallets', max: 1000 },
    summary: 'Jetton wallets by address, owner or jetton, the largest balance first.',
    examples: [
      { title: 'of an owner', params: { owner_address: [FRIENDLY], exclude_zero_balance: true } },
      { title: 'by cursor', params: { limit: 2, cursor: '' } },
    ],
    params: listParams(
      {
        address: addresses('Only these jetton wallets.').optional(),
        owner_address: addresses('Only jetton wallets of these owners.').optional(),
        jetton_address: addresses('Only wallets of these jettons, given by their masters.').optional(),
        exclude_zero_balance: v3Bool('Leaves wallets without a balance out.').optional(),
        ...orderedPage,
      },
      [
        (p) => (p.jetton_address?.length ?? 0) < 2 || p.owner_address?.length === 1,
        rule('exact one owner_address required for multiple jetton_address', ['jetton_address']),
      ],
    ),
    result: v3JettonWallets,
  }),
  'v3.jetton.transfers': method({
    ...read,
    weightOfProof: 1,
    page: { rows: 'jetton_transfers', max: 1000 },
    summary: 'Jetton transfers by owner, wallet or jetton, newest first; those that failed are left out.',
    examples: [
      { title: 'the newest', params: { limit: 3 } },
      { title: 'to an owner', params: { owner_address: [RAW], direction: 'in', sort: 'asc' } },
    ],
    params: provenListParams({
      owner_address: addresses('Only transfers from or to these owners.').optional(),
      address: addresses('The old name of `owner_address`.').optional(),
      jetton_wallet: addresses('Only transfers from these jetton wallets: those of the senders.').optional(),
      jetton_master: v3Address('Only transfers of this jetton.').optional(),
      direction: side(
        'Which side the owner is on: it received (in), it sent (out), or either (both). It applies only with an owner.',
      ).optional(),
      ...window,
      ...sortedPage,
    }),
    result: v3JettonTransfers,
  }),
  'v3.jetton.burns': method({
    ...read,
    weightOfProof: 1,
    page: { rows: 'jetton_burns', max: 1000 },
    summary: 'Jetton burns by owner, wallet or jetton, newest first; those that failed are among them.',
    examples: [{ title: 'the newest', params: { limit: 3 } }],
    params: provenListParams({
      address: addresses('The old name of `owner_address`.').optional(),
      owner_address: addresses('Only burns by these owners.').optional(),
      jetton_wallet: addresses('Only burns from these jetton wallets.').optional(),
      jetton_master: v3Address('Only burns of this jetton.').optional(),
      ...window,
      ...sortedPage,
    }),
    result: v3JettonBurns,
  }),
}
