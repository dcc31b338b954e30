import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag } from '../common.ts'

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

export interface ElectorData {
  /** Read by loadElect; undefined if no election is running. */
  readonly elect: Cell | undefined
  /** Root of Hashmap 256 Grams: the amount that each masterchain account may recover. */
  readonly credits: Cell | undefined
  /** Root of Hashmap 32 PastElection, by election id. Read by loadPastElection. */
  readonly pastElections: Cell | undefined
  readonly grams: bigint
  /** Id of the election of the current validators; 0 if the id is unknown. */
  readonly activeId: number
  /** Hash of the current validator set's cell. */
  readonly activeHash: Uint8Array
}

/** An election that is running or whose validator set is not installed yet. */
export interface Elect {
  /** Id of the election: the unix time at which its validators start. */
  readonly electAt: number
  readonly electClose: number
  readonly minStake: bigint
  readonly totalStake: bigint
  /** Root of Hashmap 256 ElectionMember. Read by loadElectionMember. */
  readonly members: Cell | undefined
  readonly failed: boolean
  readonly finished: boolean
}

export interface ElectionMember {
  readonly stake: bigint
  /** Unix time at which the member last added stake. */
  readonly time: number
  /** Fixed-point number: 65536 is 1.0. */
  readonly maxFactor: number
  /** Account id in the masterchain, 32 bytes. */
  readonly addr: Uint8Array
  readonly adnlAddr: Uint8Array
}

export interface PastElection {
  readonly unfreezeAt: number
  readonly stakeHeld: number
  /** Hash of the elected validator set's cell. */
  readonly vsetHash: Uint8Array
  /** Root of Hashmap 256 FrozenStake. Read by loadFrozenStake. */
  readonly frozen: Cell | undefined
  readonly totalStake: bigint
  readonly bonuses: bigint
  /** Root of Hashmap 256 ValidatorComplaintStatus; see complaint.ts. */
  readonly complaints: Cell | undefined
}

export interface FrozenStake {
  readonly addr: Uint8Array
  readonly weight: bigint
  readonly stake: bigint
  readonly banned: boolean
}

export const loadElectorData = (cell: Cell): ElectorData => {
  const s = cell.slice()
  const data: ElectorData = {
    elect: s.loadMaybeRef(),
    credits: s.loadMaybeRef(),
    pastElections: s.loadMaybeRef(),
    grams: s.loadCoins(),
    activeId: s.loadUint(32),
    activeHash: s.loadBytes(32),
  }
  s.end()
  return data
}

export const loadElect = (cell: Cell): Elect => {
  const s = cell.slice()
  const elect: Elect = {
    electAt: s.loadUint(32),
    electClose: s.loadUint(32),
    minStake: s.loadCoins(),
    totalStake: s.loadCoins(),
    members: s.loadMaybeRef(),
    failed: s.loadBit(),
    finished: s.loadBit(),
  }
  s.end()
  return elect
}

export const loadElectionMember = (s: Slice): ElectionMember => {
  const member: ElectionMember = {
    stake: s.loadCoins(),
    time: s.loadUint(32),
    maxFactor: s.loadUint(32),
    addr: s.loadBytes(32),
    adnlAddr: s.loadBytes(32),
  }
  s.end()
  return member
}

export const loadPastElection = (s: Slice): PastElection => {
  const election: PastElection = {
    unfreezeAt: s.loadUint(32),
    stakeHeld: s.loadUint(32),
    vsetHash: s.loadBytes(32),
    frozen: s.loadMaybeRef(),
    totalStake: s.loadCoins(),
    bonuses: s.loadCoins(),
    complaints: s.loadMaybeRef(),
  }
  s.end()
  return election
}

export const loadFrozenStake = (s: Slice): FrozenStake => {
  const frozen: FrozenStake = { addr: s.loadBytes(32), weight: s.loadUintBig(64), stake: s.loadCoins(), banned: s.loadBit() }
  s.end()
  return frozen
}

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

export interface NewStake {
  readonly queryId: bigint
  readonly validatorPubkey: Uint8Array
  /** Id of the election. */
  readonly stakeAt: number
  readonly maxFactor: number
  readonly adnlAddr: Uint8Array
}

/** The signature is not checked here, because the elector checks it. */
export const loadNewStake = (body: Cell): NewStake => {
  const s = body.slice()
  expectTag(s, 32, ELECTOR_OPS.newStake, 'new_stake')
  return {
    queryId: s.loadUintBig(64),
    validatorPubkey: s.loadBytes(32),
    stakeAt: s.loadUint(32),
    maxFactor: s.loadUint(32),
    adnlAddr: s.loadBytes(32),
  }
}
