import { notBoth, oneOf, rule } from '../fields/field.ts'
import { v3Address } from '../fields/v3/addresses-and-hashes.ts'
import { id32 } from '../fields/v3/ids.ts'
import { utime } from '../fields/v3/numbers.ts'
import { v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3Complaints, v3Cycles, v3Elections, v3ValidatorEvents } from '../models/v3/validators.ts'
import { HASH_HEX } from '../samples.ts'
import { listParams, reads, sortedPage, times } from './common.ts'

const read = reads('Validators')

export const inOrder = [
  (p: { readonly start_utime?: number | undefined; readonly end_utime?: number | undefined }): boolean =>
    p.start_utime === undefined || p.end_utime === undefined || p.start_utime <= p.end_utime,
  rule('start_utime must be less than or equal to end_utime', ['start_utime']),
] as const

const validator = {
  stake_holder_address: v3Address('Only rows about the validator whose stake came from this account.').optional(),
  adnl_address: id32('Only rows about the validator with this ADNL address.').optional(),
  validator_pubkey: id32('Only rows about the validator with this public key.').optional(),
}
const election = {
  election_id: utime('Only this election; its id is the time at which its validators begin.').optional(),
  ...validator,
}
/** Time range and page of all lists of validators. */
const list = { ...times, ...sortedPage }
const cycle = { cycle_start: utime('Only the cycle that begins at this time.').optional(), ...election }
const oneId = notBoth('stake_holder_address', 'adnl_address', 'provide either stake_holder_address or adnl_address, not both')

/** Maximum limit of lists whose rows contain nested lists. */
const WITH_MEMBERS = 100
const fewer = (limit: number, members: boolean): boolean => !members || limit <= WITH_MEMBERS

export const validators = {
  'v3.validators.events': method({
    ...read,
    page: { rows: 'events', max: 1000 },
    summary: 'Stakes sent to the elector and taken back, newest first.',
    examples: [
      { title: 'the newest', params: { limit: 3 } },
      { title: 'accepted stakes of a key', params: { validator_pubkey: HASH_HEX, type: 'stake_accepted', start_utime: 1 } },
    ],
    params: listParams(
      {
        ...validator,
        type: oneOf('Only events of this kind.', [
          'stake_accepted',
          'stake_rejected',
          'stake_recovered',
          'recover_requested',
          'recover_failed',
        ]).optional(),
        ...list,
      },
      oneId,
      inOrder,
    ),
    result: v3ValidatorEvents,
  }),
  'v3.validators.elections': method({
    ...read,
    page: { rows: 'elections', max: 1000 },
    summary: 'Elections of validators, newest first; times are those of their ids.',
    examples: [
      { title: 'the newest, with participants', params: { limit: 2, return_participants: true } },
      { title: 'finished ones', params: { finished: true, sort: 'asc' } },
    ],
    params: listParams(
      {
        ...election,
        return_participants: v3Bool('Whether the participants of each election come with it.').default(false),
        finished: v3Bool('Only elections that are over (true) or still open (false).').optional(),
        ...list,
      },
      oneId,
      inOrder,
      [(p) => fewer(p.limit, p.return_participants), rule('limit must not exceed 100 when return_participants is true', ['limit'])],
    ),
    result: v3Elections,
  }),
  'v3.validators.cycles': method({
    ...read,
    page: { rows: 'cycles', max: 1000 },
    summary: 'Sets of validators with the time they serve, newest first; times are those of their begin.',
    examples: [
      { title: 'the newest, with validators', params: { limit: 2, return_validators: true } },
      { title: 'by ADNL address', params: { adnl_address: `0x${HASH_HEX}` } },
    ],
    params: listParams(
      {
        ...cycle,
        return_validators: v3Bool('Whether the validators of each cycle come with it.').default(false),
        ...list,
      },
      oneId,
      inOrder,
      [(p) => fewer(p.limit, p.return_validators), rule('limit must not exceed 100 when return_validators is true', ['limit'])],
    ),
    result: v3Cycles,
  }),
  'v3.validators.complaints': method({
    ...read,
    page: { rows: 'complaints', max: 1000 },
    summary: 'Complaints about validators and the votes for them, newest first; validators named are the accused.',
    examples: [{ title: 'the newest', params: { limit: 3 } }],
    params: listParams({ ...cycle, ...list }, oneId, inOrder),
    result: v3Complaints,
  }),
}
