import { type Builder, beginCell } from '../../../server/cell/builder.ts'
import { type Cell, CellError } from '../../../server/cell/cell.ts'
import { dictFromEntries } from '../../../server/cell/dict.ts'
import { type MsgAddressInt, storeAddressInt } from '../../../server/tlb/address.ts'
import { storeHash } from '../../../server/tlb/common.ts'
import type { ComplaintStatus, ValidatorComplaint } from '../../../server/tlb/contracts/complaint.ts'
import type { Elect, ElectionMember, ElectorData, FrozenStake, PastElection } from '../../../server/tlb/contracts/elector.ts'
import type { OrderAction } from '../../../server/tlb/contracts/multisig.ts'
import type { Nominator, PoolConfig, PoolData } from '../../../server/tlb/contracts/nominator-pool.ts'

/* Writes contract data that the service only reads. The TL-B is with the readers, in server/tlb/contracts. */

export const storeComplaint = (complaint: ValidatorComplaint): Cell =>
  storeHash(
    storeHash(beginCell().storeUint(0xbc, 8), complaint.validatorPubkey)
      .storeRef(complaint.description)
      .storeUint(complaint.createdAt, 32)
      .storeUint(complaint.severity, 8),
    complaint.rewardAddr,
  )
    .storeCoins(complaint.paid)
    .storeCoins(complaint.suggestedFine)
    .storeUint(complaint.suggestedFinePart, 32)
    .end()

export const storeComplaintStatus = (b: Builder, status: ComplaintStatus): Builder =>
  storeHash(b.storeUint(0x2d, 8).storeRef(status.complaint).storeMaybeRef(status.voters), status.vsetId).storeInt(
    status.weightRemaining,
    64,
  )

export const storeElectorData = (data: ElectorData): Cell => {
  const b = beginCell().storeMaybeRef(data.elect).storeMaybeRef(data.credits).storeMaybeRef(data.pastElections)
  return storeHash(b.storeCoins(data.grams).storeUint(data.activeId, 32), data.activeHash).end()
}

export const storeElect = (elect: Elect): Cell =>
  beginCell()
    .storeUint(elect.electAt, 32)
    .storeUint(elect.electClose, 32)
    .storeCoins(elect.minStake)
    .storeCoins(elect.totalStake)
    .storeMaybeRef(elect.members)
    .storeBit(elect.failed)
    .storeBit(elect.finished)
    .end()

export const storeElectionMember = (b: Builder, member: ElectionMember): Builder =>
  storeHash(storeHash(b.storeCoins(member.stake).storeUint(member.time, 32).storeUint(member.maxFactor, 32), member.addr), member.adnlAddr)

export const storePastElection = (b: Builder, election: PastElection): Builder =>
  storeHash(b.storeUint(election.unfreezeAt, 32).storeUint(election.stakeHeld, 32), election.vsetHash)
    .storeMaybeRef(election.frozen)
    .storeCoins(election.totalStake)
    .storeCoins(election.bonuses)
    .storeMaybeRef(election.complaints)

export const storeFrozenStake = (b: Builder, frozen: FrozenStake): Builder =>
  storeHash(b, frozen.addr).storeUint(frozen.weight, 64).storeCoins(frozen.stake).storeBit(frozen.banned)

const storeConfig = (config: PoolConfig): Cell =>
  storeHash(beginCell(), config.validatorAddress)
    .storeUint(config.validatorRewardShare, 16)
    .storeUint(config.maxNominatorsCount, 16)
    .storeCoins(config.minValidatorStake)
    .storeCoins(config.minNominatorStake)
    .end()

const storeNominator = (b: Builder, { amount, pendingDeposit }: Nominator): Builder => b.storeCoins(amount).storeCoins(pendingDeposit)

export const storePoolData = (data: PoolData): Cell => {
  const nominators = [...data.nominators].map(([id, nominator]) => [BigInt(`0x${id}`), storeNominator(beginCell(), nominator)] as const)
  const requests = [...data.withdrawRequests].map((id) => [BigInt(`0x${id}`), beginCell()] as const)
  const b = beginCell()
    .storeUint(data.state, 8)
    .storeUint(data.nominatorsCount, 16)
    .storeCoins(data.stakeAmountSent)
    .storeCoins(data.validatorAmount)
    .storeRef(storeConfig(data.config))
    .storeMaybeRef(dictFromEntries(256, nominators))
    .storeMaybeRef(dictFromEntries(256, requests))
    .storeUint(data.stakeAt, 32)
  return storeHash(b, data.savedValidatorSetHash)
    .storeUint(data.validatorSetChangesCount, 8)
    .storeUint(data.validatorSetChangeTime, 32)
    .storeUint(data.stakeHeldFor, 32)
    .storeMaybeRef(data.configProposalVotings)
    .end()
}

/** Root of Hashmap 8 MsgAddressInt; undefined if there are no addresses. */
const storeAddresses = (addresses: readonly MsgAddressInt[]): Cell | undefined =>
  dictFromEntries(
    8,
    addresses.map((address, i) => [BigInt(i), storeAddressInt(beginCell(), address)] as const),
  )

/** Root of the dictionary of an order's actions. */
export const storeOrderActions = (actions: readonly Cell[]): Cell => {
  const root = dictFromEntries(
    8,
    actions.map((action, i) => [BigInt(i), beginCell().storeRef(action)] as const),
  )
  if (root === undefined) throw new CellError('range', 'OrderBody: no actions')
  return root
}

export const storeOrderAction = (action: OrderAction): Cell => {
  const b: Builder = beginCell()
  if (action.type === 'send') return b.storeUint(0xf1381e5b, 32).storeUint(action.mode, 8).storeRef(action.message).end()
  const signers = storeAddresses(action.signers)
  if (signers === undefined) throw new CellError('range', 'update_multisig_params: no signers')
  return b.storeUint(0x1d0cfbd3, 32).storeUint(action.threshold, 8).storeRef(signers).storeMaybeRef(storeAddresses(action.proposers)).end()
}
