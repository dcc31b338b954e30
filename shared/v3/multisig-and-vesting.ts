import { anyOf, notBoth } from '../fields/field.ts'
import { addresses } from '../fields/v3/addresses-and-hashes.ts'
import { MORE } from '../fields/v3/list.ts'
import { v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3MultisigOrders, v3Multisigs, v3Vestings } from '../models/v3/multisig-and-vesting.ts'
import { FRIENDLY, RAW } from '../samples.ts'
import { listParams, orderedPage, reads, walkedPage } from './common.ts'

const read = reads('Multisig')

export const wallets = {
  'v3.multisig.wallets': method({
    ...read,
    page: { rows: 'multisigs', max: 1000 },
    summary: 'Multisig wallets by address, or by who signs and proposes there, those that changed last first.',
    examples: [{ title: 'of a signer', params: { wallet_address: [FRIENDLY], include_orders: true } }],
    params: listParams(
      {
        address: addresses('Only these multisig wallets.', MORE).optional(),
        wallet_address: addresses('Only multisig wallets in which one of these accounts signs or proposes.', MORE).optional(),
        include_orders: v3Bool('Whether the orders of each wallet come with it.').default(true),
        ...orderedPage,
      },
      anyOf(['address', 'wallet_address'], 'At least one of address or wallet_address should be specified'),
    ),
    result: v3Multisigs,
  }),
  'v3.multisig.orders': method({
    ...read,
    page: { rows: 'orders', max: 1000 },
    summary: 'Orders of multisig wallets, those that changed last first; `parse_actions` says what they do.',
    examples: [{ title: 'of a multisig, read', params: { multisig_address: [RAW], parse_actions: true, limit: 5 } }],
    params: listParams(
      {
        address: addresses('Only these orders.', MORE).optional(),
        multisig_address: addresses('Only orders of these multisig wallets.', MORE).optional(),
        parse_actions: v3Bool('Whether `actions` says what each order does.').default(false),
        ...orderedPage,
      },
      anyOf(['address', 'multisig_address'], 'At least one of address or multisig_address should be specified'),
    ),
    result: v3MultisigOrders,
  }),
  'v3.vesting': method({
    ...read,
    heading: 'Vesting',
    page: { rows: 'vesting_contracts', max: 1000 },
    summary: 'Vesting wallets by address, or by their owner, sender and, if wanted, whitelist.',
    examples: [{ title: 'of an account on its whitelist', params: { wallet_address: [RAW], check_whitelist: true } }],
    params: listParams(
      {
        contract_address: addresses('Only these vesting wallets.').optional(),
        wallet_address: addresses('Only vesting wallets of which one of these accounts is owner or sender.').optional(),
        check_whitelist: v3Bool('Whether an account of the whitelist counts too, beside owner and sender.').default(false),
        ...walkedPage,
      },
      anyOf(['contract_address', 'wallet_address'], 'at least one of contract_address or wallet_address is required'),
      notBoth('contract_address', 'wallet_address', 'only one of contract_address or wallet_address should be specified'),
    ),
    result: v3Vestings,
  }),
}
