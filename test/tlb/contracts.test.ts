import { describe, expect, it } from 'vitest'
import { augGet, loadAugE } from '../../server/cell/aug.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { CellError } from '../../server/cell/cell.ts'
import { dictFromEntries, dictGet } from '../../server/cell/dict.ts'
import { stdAddress } from '../../server/tlb/address.ts'
import { loadComplaint, loadComplaintStatus } from '../../server/tlb/contracts/complaint.ts'
import { loadElect, loadElectionMember, loadElectorData, loadFrozenStake, loadPastElection } from '../../server/tlb/contracts/elector.ts'
import { loadOrderAction, loadOrderActions } from '../../server/tlb/contracts/multisig.ts'
import { loadPoolData, type PoolData } from '../../server/tlb/contracts/nominator-pool.ts'
import { loadAccount } from '../../server/tlb/state/account.ts'
import { loadShardAccount, shardAccountsAug } from '../../server/tlb/state/shard-account.ts'
import { loadShardState } from '../../server/tlb/state/shard-state.ts'
import {
  storeComplaint,
  storeComplaintStatus,
  storeElect,
  storeElectionMember,
  storeElectorData,
  storeFrozenStake,
  storeOrderAction,
  storeOrderActions,
  storePastElection,
  storePoolData,
} from '../kit/tlb/contracts.ts'
import { cellOf, file, hex, plain } from './data.ts'

const id = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

describe("the elector's data", () => {
  it('the elector’s data survives a round trip', () => {
    const member = { stake: 5n, time: 6, maxFactor: 196_608, addr: id(1), adnlAddr: id(2) }
    const elect = {
      electAt: 1,
      electClose: 2,
      minStake: 3n,
      totalStake: 5n,
      members: dictFromEntries(256, [[7n, storeElectionMember(beginCell(), member)]]),
      failed: false,
      finished: true,
    }
    const complaint = {
      validatorPubkey: id(3),
      description: beginCell().storeUint(1, 8).end(),
      createdAt: 4,
      severity: 5,
      rewardAddr: id(6),
      paid: 7n,
      suggestedFine: 8n,
      suggestedFinePart: 0xffff_ffff,
    }
    const status = { complaint: storeComplaint(complaint), voters: undefined, vsetId: id(0), weightRemaining: -5n }
    const frozen = { addr: id(1), weight: 1n << 60n, stake: 5n, banned: true }
    const past = {
      unfreezeAt: 1,
      stakeHeld: 2,
      vsetHash: id(9),
      frozen: dictFromEntries(256, [[7n, storeFrozenStake(beginCell(), frozen)]]),
      totalStake: 5n,
      bonuses: 6n,
      complaints: dictFromEntries(256, [[8n, storeComplaintStatus(beginCell(), status)]]),
    }
    const data = {
      elect: storeElect(elect),
      credits: undefined,
      pastElections: dictFromEntries(32, [[1n, storePastElection(beginCell(), past)]]),
      grams: 10n,
      activeId: 11,
      activeHash: id(12),
    }
    const read = loadElectorData(storeElectorData(data))
    expect(plain(read)).toEqual(plain(data))
    expect(plain(loadElect(read.elect!))).toEqual(plain(elect))
    expect(loadElectionMember(dictGet(elect.members, 256, 7n)!)).toEqual(member)
    const readPast = loadPastElection(dictGet(read.pastElections, 32, 1n)!)
    expect(plain(readPast)).toEqual(plain(past))
    expect(loadFrozenStake(dictGet(readPast.frozen, 256, 7n)!)).toEqual(frozen)
    const readStatus = loadComplaintStatus(dictGet(readPast.complaints, 256, 8n)!)
    expect(plain(readStatus)).toEqual(plain(status))
    expect(plain(loadComplaint(readStatus.complaint))).toEqual(plain(complaint))
  })

  it('other data is refused as the elector’s', () => {
    expect(() => loadElectorData(beginCell().storeUint(7, 3).end())).toThrow(CellError)
    expect(() => loadComplaint(beginCell().storeUint(0, 8).end())).toThrow(/no constructor with tag/)
  })

  it('the elector’s data of mainnet before its first block is empty', () => {
    const state = loadShardState(cellOf(file('chain/mainnet-zerostate-mc.boc')))
    const accounts = loadAugE(state.accounts.slice(), shardAccountsAug)
    const found = augGet(shardAccountsAug, accounts, BigInt(`0x${'3'.repeat(64)}`))!
    const account = loadAccount(loadShardAccount(found.value).accountCell)!
    if (account.state.type !== 'active') throw new Error('the elector has code')
    const data = loadElectorData(account.state.init.data!)
    expect([data.elect, data.credits, data.pastElections, data.grams, data.activeId]).toEqual([undefined, undefined, undefined, 0n, 0])
  })
})

describe('data of other contracts comes back as it was', () => {
  it('the data of a nominator pool survives a round trip', () => {
    const data: PoolData = {
      state: 2,
      nominatorsCount: 2,
      stakeAmountSent: 700_000_000_000n,
      validatorAmount: 10n ** 15n,
      config: {
        validatorAddress: id(1),
        validatorRewardShare: 4000,
        maxNominatorsCount: 40,
        minValidatorStake: 1n,
        minNominatorStake: 2n,
      },
      nominators: new Map([
        [hex(id(2)), { amount: 5n, pendingDeposit: 0n }],
        [hex(id(3)), { amount: 0n, pendingDeposit: 1n << 100n }],
      ]),
      withdrawRequests: new Set([hex(id(3))]),
      stakeAt: 1_700_000_000,
      savedValidatorSetHash: id(4),
      validatorSetChangesCount: 3,
      validatorSetChangeTime: 5,
      stakeHeldFor: 32_768,
      configProposalVotings: undefined,
    }
    expect(loadPoolData(storePoolData(data))).toEqual(data)
  })

  it('the orders of a multisig survive a round trip', () => {
    const signers = [stdAddress(0, id(1)), stdAddress(-1, id(2)), stdAddress(0, id(3))]
    const actions = [
      { type: 'send', mode: 3, message: beginCell().storeUint(7, 32).end() },
      { type: 'update', threshold: 1, signers, proposers: [stdAddress(0, id(9))] },
    ] as const
    const order = storeOrderActions(actions.map(storeOrderAction))
    const read = loadOrderActions(order, { cells: 100 }).map((cell) => loadOrderAction(cell, { cells: 100 }))
    expect(read.map((action) => storeOrderAction(action).hashHex())).toEqual(actions.map((action) => storeOrderAction(action).hashHex()))
    expect(() => loadOrderAction(beginCell().storeUint(1, 32).end(), { cells: 100 })).toThrow(/unknown order action 0x00000001/)
  })
})
