import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { bytes32, coins, i64, loadToEnd, maybeRef, type RecordOf, record, ref, tagged, u8, u32 } from '../record-layout.ts'

/*
 * https://github.com/ton-blockchain/ton/blob/master/crypto/block/block.tlb
 * validator_complaint#bc validator_pubkey:bits256 description:^ComplaintDescr created_at:uint32 severity:uint8
 *   reward_addr:uint256 paid:Grams suggested_fine:Grams suggested_fine_part:uint32 = ValidatorComplaint;
 * validator_complaint_status#2d complaint:^ValidatorComplaint voters:(HashmapE 16 True) vset_id:uint256
 *   weight_remaining:int64 = ValidatorComplaintStatus;
 * (The elector's dictionary of voters has the time of each vote: HashmapE 16 uint32.)
 */

const complaint = {
  /** Public key of the accused validator. */
  validatorPubkey: bytes32,
  description: ref,
  /** Unix seconds. */
  createdAt: u32,
  severity: u8,
  /** Account id in the masterchain that gets the reward. */
  rewardAddr: bytes32,
  paid: coins,
  suggestedFine: coins,
  /** Part of the accused's stake, in units of 2^-32. */
  suggestedFinePart: u32,
}
export type ValidatorComplaint = RecordOf<typeof complaint>
const complaintFields = tagged(8, 0xbc, 'ValidatorComplaint', record(complaint))
export const loadComplaint = (cell: Cell): ValidatorComplaint => loadToEnd(cell.slice(), complaintFields)

const status = {
  complaint: ref,
  /** Root of Hashmap 16 uint32. The keys are the indexes of the voters in the validator set. */
  voters: maybeRef,
  /** Hash of the cell of the validator set that votes; zero before the first vote. */
  vsetId: bytes32,
  /** Weight of the votes that the complaint still needs for two thirds; negative if it has passed. */
  weightRemaining: i64,
}
export type ComplaintStatus = RecordOf<typeof status>
const statusFields = tagged(8, 0x2d, 'ValidatorComplaintStatus', record(status))
export const loadComplaintStatus = (s: Slice): ComplaintStatus => loadToEnd(s, statusFields)
