import type { Columns, Value } from '../../actions/action.ts'
import { computed, datum, type Fields, jsonNumber } from '../../actions/details.ts'
import type { JVaultStakeWalletFacts } from '../../actions/facts.ts'
import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, chain, either, kind, named, optional } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictEntries } from '../../cell/dict.ts'
import { attempt } from '../../cell/error.ts'
import { rawAddressOf } from '../../tlb/raw-address.ts'
import { TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load, messages, opcode } from './messages.ts'

/* JVault: jettons are staked in pools. Each staker has a stake wallet, which is a special jetton wallet. */

export const stakeWalletFacts = (data: Cell): JVaultStakeWalletFacts | undefined =>
  attempt(() => {
    const { pool, minter: jetton } = load('type JvaultStakeWallet', data)
    return pool === null || jetton === null ? undefined : { pool, jetton }
  })

export const poolFacts = (data: Cell): { readonly lockWallet: Address } | undefined =>
  attempt(() => {
    const { lock_wallet: lockWallet } = load('type JvaultPool', data)
    return lockWallet === null ? undefined : { lockWallet }
  })

const CANCEL = 0x9eada1d9
const REQUEST_REFERRER = opcode('internal jvault_request_update_referrer')
const SET_DATA = opcode('internal jvault_set_data')
const UPDATE_REFERRER = opcode('internal jvault_update_referrer')
const SEND_CLAIMED = opcode('internal jvault_send_claimed_rewards')
const REQUEST_UPDATE = opcode('internal jvault_request_update_rewards')
const UNSTAKE = opcode('internal jvault_unstake_jettons')
const UNSTAKE_REQUEST = opcode('internal jvault_unstake_request')

/** A referrer can itself have a referrer, so these messages form a chain. */
const referrers = optional(chain(either(call(REQUEST_REFERRER), call(UPDATE_REFERRER))))
const updated = call(opcode('internal jvault_update_rewards'))

/** Returns the pool, the staked jetton and the stake jetton of a stake wallet. Those that are not indexed are undefined or null. */
const stakeOf = (wallet: Address | null, run: MatcherRun) => {
  const facts = run.facts.get(wallet ?? '')?.jvaultStakeWallet
  const lockWallet = facts && run.facts.get(facts.pool)?.jvaultPool?.lockWallet
  return { pool: facts?.pool, asset: run.jettonWallet(lockWallet ?? null)?.jetton, jetton: facts?.jetton ?? null }
}

const decided = either(
  named('requested', call(REQUEST_UPDATE, { all: [referrers, updated] })),
  named('cancelled', call(CANCEL, { each: optional(kind(TRANSFERRED)) })),
)

const jvaultStake: Matcher = {
  at: [TRANSFERRED],
  around: {
    all: [named('received', call(opcode('internal jvault_receive_jettons'), { each: decided })), optional(call(SET_DATA))],
  },
  build(step, found, run) {
    const received = found.get('received')!
    const requested = found.get('requested')
    const transfer = transferOf(step)
    if (transfer.payload === undefined) return
    run.group('jvault_stake', [step, ...found.steps], {
      source: transfer.sender,
      sourceSecondary: transfer.senderWallet,
      destination: received.source,
      asset: transfer.jetton,
      amount: transfer.requested,
      data: { period: transfer.payload.slice().skip(32).loadUint(32), stake_wallet: received.destination },
      success: found.get('cancelled') === undefined && !received.failed && requested?.failed !== true,
    })
  },
}

/** The columns of a request to unstake. If the wallet did not pass it on, its exit code is shown. */
const unstakeColumns = (step: Step, requested: Step | undefined, { pool, asset, jetton }: ReturnType<typeof stakeOf>): Columns => ({
  source: step.source,
  sourceSecondary: step.destination,
  destination: requested?.destination ?? pool ?? null,
  amount: load('internal jvault_unstake_request', step.body).jettons_to_unstake,
  asset: asset ?? null,
  asset2: jetton,
  opcode: requested === undefined ? step.nodes[0]!.tx.exitCode : null,
})

const paidBack = [referrers, optional(kind(TRANSFER)), named('returned', kind(TRANSFERRED)), updated]

const jvaultUnstake: Matcher = {
  at: [UNSTAKE],
  around: { each: optional(named('requested', call(REQUEST_UPDATE, { all: paidBack }))) },
  build(step, found, run) {
    const stake = stakeOf(step.destination, run)
    if (stake.pool === undefined || stake.asset === undefined) return
    const returned = found.get('returned')
    if (returned !== undefined && transferOf(returned).jetton !== stake.asset) return
    run.group('jvault_unstake', [step, ...found.steps], unstakeColumns(step, found.get('requested'), stake))
  },
}

const jvaultUnstakeRequest: Matcher = {
  at: [UNSTAKE_REQUEST],
  around: { each: optional(named('requested', call(REQUEST_UPDATE, { all: [referrers, updated] }))) },
  build(step, found, run) {
    const stake = stakeOf(step.destination, run)
    const requested = found.get('requested')
    if (requested === undefined && (stake.pool === undefined || stake.asset === undefined)) return
    const success = requested !== undefined && !step.failed && !requested.failed
    run.group('jvault_unstake_request', [step, ...found.steps], { ...unstakeColumns(step, requested, stake), success })
  },
}

/** claim_rewards_msg query_id:uint64 jettons_to_claim:(HashmapE 267 Bit); keys are MsgAddressInt. The pool sends a message for each: 255 at most. */
const claimedWallets = (step: Step): Address[] =>
  Array.from(dictEntries(step.rest().skip(64).loadMaybeRef(), 267, { cells: 2 * 255 - 1 }), ([key]) =>
    rawAddressOf(Number(BigInt.asIntN(8, key >> 256n)), BigInt.asUintN(256, key)),
  )

const jvaultClaim: Matcher = {
  at: [opcode('internal jvault_claim_rewards_msg')],
  around: { each: named('sent', call(SEND_CLAIMED, { all: [named('paid', kind(TRANSFERRED)), updated] })) },
  build(step, found, run) {
    const paid = transferOf(found.get('paid')!)
    run.group('jvault_claim', [step, ...found.steps], {
      source: step.source,
      sourceSecondary: step.destination,
      destination: found.get('sent')!.destination,
      data: { claimed_jettons: claimedWallets(step), claimed_amounts: [paid.requested] },
    })
  },
}

const UNSTAKED: Fields = {
  source: 'source',
  stake_wallet: 'sourceSecondary',
  pool: 'destination',
  amount: 'amount',
  exit_code: jsonNumber('opcode'),
  asset: 'asset',
  staking_asset: 'asset2',
}

const CLAIMED = computed(({ data: { claimed_jettons: jettons, claimed_amounts: sums } }) =>
  Array.isArray(jettons) && Array.isArray(sums) && jettons.length === sums.length
    ? jettons.map((jetton: Value, i) => ({ jetton, amount: sums[i] as Value }))
    : [],
)

const ACTION = { since: 2, shortcuts: ['jvault'] } as const

export const jvault: Protocol = {
  messages,
  matchers: { operations: [jvaultStake, jvaultUnstake, jvaultClaim, jvaultUnstakeRequest] },
  requiredFacts: { stakeWallets: [UNSTAKE, UNSTAKE_REQUEST].map((op) => [op, (step) => [step.destination]]) },
  actions: {
    jvault_stake: {
      ...ACTION,
      details: {
        period: jsonNumber(datum),
        minted_stake_jettons: datum,
        stake_wallet: datum,
        source: 'source',
        source_jetton_wallet: 'sourceSecondary',
        asset: 'asset',
        pool: 'destination',
        amount: 'amount',
      },
    },
    jvault_unstake: { ...ACTION, details: UNSTAKED },
    jvault_unstake_request: { ...ACTION, details: UNSTAKED },
    jvault_claim: {
      ...ACTION,
      details: { claimed_rewards: CLAIMED, source: 'source', stake_wallet: 'sourceSecondary', pool: 'destination' },
    },
  },
}
