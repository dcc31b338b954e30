import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag } from '../common.ts'
import { coins, type Field, type RecordOf, record, tagged, u8, u16, u32 } from '../record-layout.ts'
import { loadWhole, storeWhole } from './config-dictionary.ts'
import { loadSigPubKey } from './validator-set.ts'

/*
 * cfg_vote_cfg#36 min_tot_rounds:(## 8) max_tot_rounds:(## 8) { min_tot_rounds <= max_tot_rounds } min_wins:uint8 max_losses:uint8
 *   min_store_sec:(## 32) max_store_sec:(## 32) { min_store_sec <= max_store_sec } bit_price:uint32 cell_price:uint32 = ConfigProposalSetup;
 * cfg_vote_setup#91 normal_params:^ConfigProposalSetup critical_params:^ConfigProposalSetup = ConfigVotingSetup;      (11)
 * complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams = ComplaintPricing;                              (13)
 * validator_temp_key#3 adnl_addr:bits256 temp_public_key:SigPubKey seqno:# valid_until:uint32 = ValidatorTempKey;
 * signed_temp_key#4 key:^ValidatorTempKey signature:CryptoSignature = ValidatorSignedTempKey;
 * _ (HashmapE 256 ValidatorSignedTempKey) = ConfigParam 39;
 * misbehaviour_punishment_config_v1#01 default_flat_fine:Grams default_proportional_fine:uint32 severity_flat_mult:uint16
 *   severity_proportional_mult:uint16 unpunishable_interval:uint16 long_interval:uint16 long_flat_mult:uint16 long_proportional_mult:uint16
 *   medium_interval:uint16 medium_flat_mult:uint16 medium_proportional_mult:uint16 = MisbehaviourPunishmentConfig;    (40)
 */

const setup = {
  minTotRounds: u8,
  maxTotRounds: u8,
  minWins: u8,
  maxLosses: u8,
  minStoreSec: u32,
  maxStoreSec: u32,
  bitPrice: u32,
  cellPrice: u32,
}
/** Limits of a proposal: the rounds and wins that it needs, how long it may be stored, and the prices of its storage (nanograms). */
export type ProposalSetup = RecordOf<typeof setup>
const plainSetup = tagged(8, 0x36, 'ConfigProposalSetup', record(setup))
const proposalSetup: Field<ProposalSetup> = {
  load: (s) => {
    const found = plainSetup.load(s)
    if (found.minTotRounds > found.maxTotRounds || found.minStoreSec > found.maxStoreSec)
      throw new CellError('range', 'ConfigProposalSetup: a minimum above its maximum')
    return found
  },
  store: plainSetup.store,
}

/** ConfigParam 11. */
export const votingSetup: Field<{ readonly normal: ProposalSetup; readonly critical: ProposalSetup }> = {
  load: (s) => {
    expectTag(s, 8, 0x91, 'ConfigVotingSetup')
    return { normal: loadWhole(s.loadRef(), proposalSetup.load), critical: loadWhole(s.loadRef(), proposalSetup.load) }
  },
  store: (b, { normal, critical }) =>
    b.storeUint(0x91, 8).storeRef(storeWhole(proposalSetup, normal)).storeRef(storeWhole(proposalSetup, critical)),
}

/** ConfigParam 13, nanograms. */
export const complaintPrices = tagged(8, 0x1a, 'ComplaintPricing', record({ deposit: coins, bitPrice: coins, cellPrice: coins }))

/** ConfigParam 40. */
export const punishments = tagged(
  8,
  1,
  'MisbehaviourPunishmentConfig',
  record({
    defaultFlatFine: coins,
    defaultProportionalFine: u32,
    severityFlatMult: u16,
    severityProportionalMult: u16,
    unpunishableInterval: u16,
    longInterval: u16,
    longFlatMult: u16,
    longProportionalMult: u16,
    mediumInterval: u16,
    mediumFlatMult: u16,
    mediumProportionalMult: u16,
  }),
)

const loadTempKey = (cell: Cell): void =>
  loadWhole(cell, (s) => {
    expectTag(s, 4, 3, 'ValidatorTempKey')
    s.skip(256)
    loadSigPubKey(s)
    s.skip(64)
  })

/** Checks ConfigParam 39 and counts its keys. Only the number is returned, because no network has this parameter. Chained signatures (#f) are refused. */
export const countTempKeys = (s: Slice): { readonly keys: number } => {
  let keys = 0
  for (const [, value] of dictEntries(s.loadMaybeRef(), 256, { cells: MAX_CHECKED_CELLS })) {
    expectTag(value, 4, 4, 'ValidatorSignedTempKey')
    loadTempKey(value.loadRef())
    expectTag(value, 4, 5, 'CryptoSignature')
    value.skip(512)
    value.end()
    keys += 1
  }
  return { keys }
}
