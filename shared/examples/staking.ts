import type { staking } from '../v3/staking.ts'
import type { validators } from '../v3/validators.ts'
import type { wallets } from '../v3/wallets.ts'
import type { Examples } from './example.ts'
import { ELECTOR, FRIENDLY, HASH_HEX, RAW } from './values.ts'

/** Staking and what else is locked up: a fresh embedded chain has one validator, no elections and no such wallets. */
export const stakingExamples = {
  'v3.staking.nominatorPools.pool': [{ title: 'no pool', params: { pool: ELECTOR }, fails: 'NOT_FOUND' }],
  'v3.staking.nominatorPools.nominator': [{ title: 'everywhere', params: { nominator: FRIENDLY } }],
  'v3.staking.nominatorPools.nominatorEvents': [
    { title: 'of a pool', params: { pool: ELECTOR, limit: 5 } },
    { title: 'of a nominator, since', params: { pool: ELECTOR, nominator: RAW, start_utime: 1 } },
  ],
  'v3.staking.nominatorPools.nominatorRewards': [{ title: 'in a pool', params: { pool: ELECTOR, nominator: RAW } }],
  'v3.staking.nominatorPools.validatorEvents': [{ title: 'in all pools', params: { validator: ELECTOR, type: 'penalty' } }],
  'v3.staking.nominatorPools.validatorRewards': [{ title: 'in a pool', params: { pool: ELECTOR, validator: ELECTOR } }],
  'v3.validators.events': [
    { title: 'the newest', params: { limit: 3 } },
    { title: 'accepted stakes of a key', params: { validator_pubkey: HASH_HEX, type: 'stake_accepted', start_utime: 1 } },
  ],
  'v3.validators.elections': [
    { title: 'the newest, with participants', params: { limit: 2, return_participants: true } },
    { title: 'finished ones', params: { finished: true, sort: 'asc' } },
  ],
  'v3.validators.cycles': [
    { title: 'the newest, with validators', params: { limit: 2, return_validators: true } },
    { title: 'by ADNL address', params: { adnl_address: `0x${HASH_HEX}` } },
  ],
  'v3.multisig.wallets': [{ title: 'of a signer', params: { wallet_address: [FRIENDLY], include_orders: true } }],
  'v3.multisig.orders': [{ title: 'of a multisig, read', params: { multisig_address: [RAW], parse_actions: true, limit: 5 } }],
  'v3.vesting': [{ title: 'of an account on its whitelist', params: { wallet_address: [RAW], check_whitelist: true } }],
  'v3.validators.complaints': [{ title: 'the newest', params: { limit: 3 } }],
} satisfies Examples<keyof (typeof staking & typeof validators & typeof wallets)>
