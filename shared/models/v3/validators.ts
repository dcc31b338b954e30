import * as z from 'zod'
import {
  base64,
  decimal,
  flag,
  hash44,
  hexUpper,
  int,
  lt,
  many,
  model,
  nanotons,
  rawUpper,
  seconds,
  utime,
  words,
} from '../value-formats.ts'
import { bookOfPage } from './book.ts'

/* Validators. Keys, ADNL addresses, and hashes of sets and complaints are upper-case hex, unlike in the rest of the API. */

export const requestedWindow = {
  start_utime: utime('The `start_utime` that was asked for.').optional(),
  end_utime: utime('The `end_utime` that was asked for.').optional(),
}

export const inTransaction = {
  tx_hash: hash44('Hash of the transaction in which it happened.'),
  tx_lt: lt('Logical time of that transaction.'),
  utime: utime('When it happened.'),
}

const pubkey = hexUpper('Public key of the validator.')
const adnl = hexUpper('ADNL address of the validator.')
const holder = rawUpper('The account from which the stake came.')
const electionId = utime('Id of the election: the time at which its validators begin.')
const index = int('Number of the validator in its set.', 17)
const maxFactor = int('How many times the least stake of the set may count, in parts of 65,536.', 196608)

const validatorEvent = model('V3ValidatorEvent', {
  ...inTransaction,
  type: words('What happened.', ['stake_accepted', 'stake_rejected', 'stake_recovered', 'recover_requested', 'recover_failed']),
  stake_holder_address: holder,
  validator_pubkey: pubkey.optional(),
  adnl_addr: adnl.optional(),
  election_id: electionId.optional(),
  query_id: decimal('Number that the sender gave the order.', '0').optional(),
  amount: nanotons('How much was sent or taken back.'),
  reason: int('Why the elector refused: the code in its answer.', 0).optional(),
})

export const v3ValidatorEvents = model('V3ValidatorEvents', {
  ...requestedWindow,
  events: many('The events, newest first.', validatorEvent),
  ...bookOfPage,
})

const participant = model('V3ElectionParticipant', {
  validator_pubkey: pubkey,
  validator_index: index.optional(),
  stake: nanotons('What it staked.'),
  max_factor: maxFactor,
  stake_holder_address: holder,
  adnl_addr: adnl,
})

const election = model('V3Election', {
  election_id: electionId,
  elect_close: utime('When the election closes.'),
  min_stake: nanotons('The least stake.'),
  total_stake: nanotons('The sum of the stakes.'),
  total_participants: int('How many took part.', 380),
  failed: flag('Whether the stakes did not suffice.'),
  finished: flag('Whether the election is over.'),
  participants: many('Those who took part; with `return_participants`.', participant).optional(),
})

export const v3Elections = model('V3Elections', { elections: many('The elections, newest first.', election), ...bookOfPage })

const vote = model('V3ComplaintVote', {
  validator_index: index,
  validator_pubkey: pubkey.optional(),
  adnl_addr: adnl.optional(),
  weight: decimal('Weight of the validator in its set.', '1152921504606846').optional(),
})

const complaint = model('V3ValidatorComplaint', {
  cycle_start: utime('When the cycle began that the complaint is about.'),
  election_id: electionId,
  complaint_hash: hexUpper('Hash of the complaint.'),
  validator_pubkey: hexUpper('Public key of the accused validator.'),
  adnl_addr: hexUpper('ADNL address of the accused validator; null if it is not known.').nullable(),
  stake_holder_address: rawUpper("The account from which the accused validator's stake came.").optional(),
  description_boc: base64('The description in the complaint, as a BoC.'),
  created_at: utime('When the complaint was made.'),
  severity: int('How severe it is said to be.', 2),
  reward_address: rawUpper('The account that receives the reward for it.'),
  paid: nanotons('What was paid for the complaint.'),
  suggested_fine: nanotons('The fine that is asked for.'),
  suggested_fine_part: int('The share of the stake that is asked for besides, in parts of 2^32.', 0),
  voted_validators: many('The validators that voted for it.', vote),
  vset_id: hexUpper('Hash of the set of validators that votes.'),
  weight_remaining: decimal('Weight that is missing for it to pass; negative once it has passed.', '-1152921504606846'),
  approved_percent: z.number().meta({ description: 'How many percent of the weight voted for it.', examples: [66.7] }),
  is_passed: flag('Whether it passed.'),
})

export const v3Complaints = model('V3ValidatorComplaints', { complaints: many('The complaints, newest first.', complaint), ...bookOfPage })

const member = model('V3CycleValidator', {
  validator_index: index,
  validator_pubkey: pubkey,
  adnl_addr: adnl,
  weight: decimal('Weight of the validator in its set.', '1152921504606846'),
  stake_holder_address: holder.optional(),
  stake: nanotons('Its stake.').optional(),
  max_factor: maxFactor.optional(),
  complaints: many('Complaints about it.', complaint),
})

const stakeLimit = (what: string) => nanotons(what).optional()

const cycle = model('V3ValidatorCycle', {
  election_id: electionId.optional(),
  cycle_start: utime('When the set begins to validate.'),
  cycle_end: utime('When it ends.'),
  total: int('How many validators the set has.', 380),
  main: int('How many of them make masterchain blocks.', 100),
  total_weight: decimal('The sum of their weights.', '1152921504606846976'),
  total_stake: nanotons('The sum of their stakes.').optional(),
  validators_elected_for: seconds('How long a set validates.', 65536).optional(),
  elections_start_before: seconds('How long before that the elections begin.', 32768).optional(),
  elections_end_before: seconds('How long before that the elections end.', 8192).optional(),
  stake_held_for: seconds('How long the stakes are held after that.', 32768).optional(),
  max_validators: int('Largest number of validators in a set.', 400).optional(),
  max_main_validators: int('Largest number of them that make masterchain blocks.', 100).optional(),
  min_validators: int('Smallest number of validators in a set.', 75).optional(),
  min_stake: stakeLimit('The least stake among the validators of the set.'),
  max_stake: stakeLimit('The largest stake among the validators of the set.'),
  min_stake_limit: stakeLimit('The least stake that the configuration takes.'),
  max_stake_limit: stakeLimit('The largest stake that the configuration takes.'),
  min_total_stake: stakeLimit('The least sum of the stakes that the configuration takes.'),
  max_stake_factor: maxFactor.optional(),
  validators: many('The validators; with `return_validators`.', member).optional(),
})

export const v3Cycles = model('V3ValidatorCycles', { cycles: many('The cycles, newest first.', cycle), ...bookOfPage })
