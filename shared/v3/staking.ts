import * as z from 'zod'
import { anyOf, oneOf } from '../fields/field.ts'
import { v3Address } from '../fields/v3/addresses-and-hashes.ts'
import { sorted } from '../fields/v3/page.ts'
import { overrides } from '../fields/v3/request-settings.ts'
import { method } from '../method.ts'
import {
  v3NominatorEvents,
  v3NominatorPool,
  v3NominatorPositions,
  v3NominatorRewards,
  v3PoolValidatorEvents,
  v3PoolValidatorRewards,
} from '../models/v3/staking.ts'
import { ELECTOR, FRIENDLY, RAW } from '../samples.ts'
import { listParams, reads, times } from './common.ts'
import { inOrder } from './validators.ts'

const read = reads('Staking')

const POOL_IS = 'The nominator pool.'
const NOMINATOR_IS = 'The nominator: the account that gave its coins to the pool.'
const VALIDATOR_IS = 'The validator that runs the pool.'
/** Lists of pools. Their default limit of 100 rows is larger than the usual 10. */
const list = { ...times, ...sorted(1000, 100), ...overrides }

const POOL = 'pool parameter is required'
const NOMINATOR_AND_POOL = 'nominator and pool parameters are required'
const VALIDATOR_AND_POOL = 'validator and pool parameters are required'

export const staking = {
  'v3.staking.nominatorPools.pool': method({
    ...read,
    summary: 'A nominator pool with all its nominators.',
    examples: [{ title: 'no pool', params: { pool: ELECTOR }, fails: 'NOT_FOUND' }],
    params: z.object({ pool: v3Address(POOL_IS, POOL), ...overrides }),
    result: v3NominatorPool,
    errors: ['NOT_FOUND'],
  }),
  'v3.staking.nominatorPools.nominator': method({
    ...read,
    summary: 'What a nominator has in nominator pools.',
    examples: [{ title: 'everywhere', params: { nominator: FRIENDLY } }],
    params: z.object({ nominator: v3Address(NOMINATOR_IS, 'nominator parameter is required'), ...overrides }),
    result: v3NominatorPositions,
  }),
  'v3.staking.nominatorPools.nominatorEvents': method({
    ...read,
    page: { rows: 'events', max: 1000 },
    summary: 'What changed of the money of nominators in a pool, newest first.',
    examples: [
      { title: 'of a pool', params: { pool: ELECTOR, limit: 5 } },
      { title: 'of a nominator, since', params: { pool: ELECTOR, nominator: RAW, start_utime: 1 } },
    ],
    params: listParams(
      { pool: v3Address(POOL_IS, POOL), nominator: v3Address('Only events of this nominator.').optional(), ...list },
      inOrder,
    ),
    result: v3NominatorEvents,
  }),
  'v3.staking.nominatorPools.nominatorRewards': method({
    ...read,
    page: { rows: 'rewards', max: 1000 },
    summary: 'What a nominator earned in a pool, newest first.',
    examples: [{ title: 'in a pool', params: { pool: ELECTOR, nominator: RAW } }],
    params: listParams(
      { nominator: v3Address(NOMINATOR_IS, NOMINATOR_AND_POOL), pool: v3Address(POOL_IS, NOMINATOR_AND_POOL), ...list },
      inOrder,
    ),
    result: v3NominatorRewards,
  }),
  'v3.staking.nominatorPools.validatorEvents': method({
    ...read,
    page: { rows: 'events', max: 1000 },
    summary: 'What changed of the own money of validators in pools, newest first.',
    examples: [{ title: 'in all pools', params: { validator: ELECTOR, type: 'penalty' } }],
    params: listParams(
      {
        validator: v3Address('Only events of this validator.').optional(),
        pool: v3Address('Only events of this pool.').optional(),
        type: oneOf('Only events of this kind.', ['reward', 'penalty', 'deposit', 'withdrawal']).optional(),
        ...list,
      },
      anyOf(['validator', 'pool'], 'validator or pool parameter is required'),
      inOrder,
    ),
    result: v3PoolValidatorEvents,
  }),
  'v3.staking.nominatorPools.validatorRewards': method({
    ...read,
    page: { rows: 'rewards', max: 1000 },
    summary: 'What a validator earned in a pool, newest first.',
    examples: [{ title: 'in a pool', params: { pool: ELECTOR, validator: ELECTOR } }],
    params: listParams(
      { validator: v3Address(VALIDATOR_IS, VALIDATOR_AND_POOL), pool: v3Address(POOL_IS, VALIDATOR_AND_POOL), ...list },
      inOrder,
    ),
    result: v3PoolValidatorRewards,
  }),
}
