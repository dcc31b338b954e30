import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { bool, bytes32, coins, loadToEnd, maybeRef, type RecordOf, record, tagged, u32, u64 } from '../record-layout.ts'

/*
 * Data of the elector (https://github.com/ton-blockchain/ton/blob/master/crypto/smartcont/elector-code.fc; its own comments, written as TL-B):
 * _ elect:(Maybe ^Elect) credits:(HashmapE 256 Grams) past_elections:(HashmapE 32 PastElection)
 *   grams:Grams active_id:uint32 active_hash:bits256 = ElectorData;
 * _ elect_at:uint32 elect_close:uint32 min_stake:Grams total_stake:Grams members:(HashmapE 256 ElectionMember)
 *   failed:Bool finished:Bool = Elect;                                                            (key of members: validator's public key)
 * _ stake:Grams time:uint32 max_factor:uint32 addr:bits256 adnl_addr:bits256 = ElectionMember;
 * _ unfreeze_at:uint32 stake_held:uint32 vset_hash:bits256 frozen:(HashmapE 256 FrozenStake) total_stake:Grams
 *   bonuses:Grams complaints:(HashmapE 256 ValidatorComplaintStatus) = PastElection;              (key of frozen: public key; of complaints: hash)
 * _ addr:bits256 weight:uint64 stake:Grams banned:Bool = FrozenStake;
 * Dictionaries are not decoded, because a state update contains only their changed parts.
 */

const electorData = {
  /** Read by loadElect; undefined if no election is running. */
  elect: maybeRef,
  /** Root of Hashmap 256 Grams: the amount that each masterchain account may recover. */
  credits: maybeRef,
  /** Root of Hashmap 32 PastElection, by election id. Read by loadPastElection. */
  pastElections: maybeRef,
  grams: coins,
  /** Id of the election of the current validators; 0 if the id is unknown. */
  activeId: u32,
  /** Hash of the current validator set's cell. */
  activeHash: bytes32,
}
export type ElectorData = RecordOf<typeof electorData>
const electorFields = record(electorData)
export const loadElectorData = (cell: Cell): ElectorData => loadToEnd(cell.slice(), electorFields)

const elect = {
  /** Id of the election: the unix time at which its validators start. */
  electAt: u32,
  electClose: u32,
  minStake: coins,
  totalStake: coins,
  /** Root of Hashmap 256 ElectionMember. Read by loadElectionMember. */
  members: maybeRef,
  failed: bool,
  finished: bool,
}
/** An election that is running or whose validator set is not installed yet. */
export type Elect = RecordOf<typeof elect>
const electFields = record(elect)
export const loadElect = (cell: Cell): Elect => loadToEnd(cell.slice(), electFields)

const member = {
  stake: coins,
  /** Unix time at which the member last added stake. */
  time: u32,
  /** Fixed-point number: 65536 is 1.0. */
  maxFactor: u32,
  /** Account id in the masterchain, 32 bytes. */
  addr: bytes32,
  adnlAddr: bytes32,
}
export type ElectionMember = RecordOf<typeof member>
const memberFields = record(member)
export const loadElectionMember = (s: Slice): ElectionMember => loadToEnd(s, memberFields)

const pastElection = {
  unfreezeAt: u32,
  stakeHeld: u32,
  /** Hash of the elected validator set's cell. */
  vsetHash: bytes32,
  /** Root of Hashmap 256 FrozenStake. Read by loadFrozenStake. */
  frozen: maybeRef,
  totalStake: coins,
  bonuses: coins,
  /** Root of Hashmap 256 ValidatorComplaintStatus; see complaint.ts. */
  complaints: maybeRef,
}
export type PastElection = RecordOf<typeof pastElection>
const pastElectionFields = record(pastElection)
export const loadPastElection = (s: Slice): PastElection => loadToEnd(s, pastElectionFields)

const frozenStake = { addr: bytes32, weight: u64, stake: coins, banned: bool }
export type FrozenStake = RecordOf<typeof frozenStake>
const frozenFields = record(frozenStake)
export const loadFrozenStake = (s: Slice): FrozenStake => loadToEnd(s, frozenFields)

/*
 * Bodies of messages to and from the elector:
 * new_stake#4e73744b query_id:uint64 validator_pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256 signature:^bits512 = InternalMsgBody;
 * new_stake_ok#f374484c query_id:uint64 comment:uint32 = InternalMsgBody;
 * new_stake_error#ee6f454c query_id:uint64 reason:uint32 = InternalMsgBody;
 * recover_stake#47657424 query_id:uint64 = InternalMsgBody;
 * recover_stake_ok#f96f7324 query_id:uint64 = InternalMsgBody;
 * recover_stake_error#fffffffe query_id:uint64 op:uint32 = InternalMsgBody;
 */

export const ELECTOR_OPS = {
  newStake: 0x4e73744b,
  newStakeOk: 0xf374484c,
  newStakeError: 0xee6f454c,
  recoverStake: 0x47657424,
  recoverStakeOk: 0xf96f7324,
  recoverStakeError: 0xfffffffe,
} as const

const newStake = {
  queryId: u64,
  validatorPubkey: bytes32,
  /** Id of the election. */
  stakeAt: u32,
  maxFactor: u32,
  adnlAddr: bytes32,
}
export type NewStake = RecordOf<typeof newStake>
const newStakeFields = tagged(32, ELECTOR_OPS.newStake, 'new_stake', record(newStake))

/** The signature is not checked here, because the elector checks it. */
export const loadNewStake = (body: Cell): NewStake => newStakeFields.load(body.slice())
