import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag } from '../common.ts'

/*
 * https://github.com/ton-blockchain/ton/blob/master/crypto/block/block.tlb
 * validator_complaint#bc validator_pubkey:bits256 description:^ComplaintDescr created_at:uint32 severity:uint8
 *   reward_addr:uint256 paid:Grams suggested_fine:Grams suggested_fine_part:uint32 = ValidatorComplaint;
 * validator_complaint_status#2d complaint:^ValidatorComplaint voters:(HashmapE 16 True) vset_id:uint256
 *   weight_remaining:int64 = ValidatorComplaintStatus;
 * (The elector's dictionary of voters has the time of each vote: HashmapE 16 uint32.)
 */

export interface ValidatorComplaint {
  /** Public key of the accused validator. */
  readonly validatorPubkey: Uint8Array
  readonly description: Cell
  /** Unix seconds. */
  readonly createdAt: number
  readonly severity: number
  /** Account id in the masterchain that gets the reward. */
  readonly rewardAddr: Uint8Array
  readonly paid: bigint
  readonly suggestedFine: bigint
  /** Part of the accused's stake, in units of 2^-32. */
  readonly suggestedFinePart: number
}

export interface ComplaintStatus {
  readonly complaint: Cell
  /** Root of Hashmap 16 uint32. The keys are the indexes of the voters in the validator set. */
  readonly voters: Cell | undefined
  /** Hash of the cell of the validator set that votes; zero before the first vote. */
  readonly vsetId: Uint8Array
  /** Weight of the votes that the complaint still needs for two thirds; negative if it has passed. */
  readonly weightRemaining: bigint
}

export const loadComplaint = (cell: Cell): ValidatorComplaint => {
  const s = cell.slice()
  expectTag(s, 8, 0xbc, 'ValidatorComplaint')
  const complaint: ValidatorComplaint = {
    validatorPubkey: s.loadBytes(32),
    description: s.loadRef(),
    createdAt: s.loadUint(32),
    severity: s.loadUint(8),
    rewardAddr: s.loadBytes(32),
    paid: s.loadCoins(),
    suggestedFine: s.loadCoins(),
    suggestedFinePart: s.loadUint(32),
  }
  s.end()
  return complaint
}

export const loadComplaintStatus = (s: Slice): ComplaintStatus => {
  expectTag(s, 8, 0x2d, 'ValidatorComplaintStatus')
  const status: ComplaintStatus = {
    complaint: s.loadRef(),
    voters: s.loadMaybeRef(),
    vsetId: s.loadBytes(32),
    weightRemaining: s.loadIntBig(64),
  }
  s.end()
  return status
}
