import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, named, optional } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import { loadJettonBurn } from '../../tlb/message/token-messages.ts'
import { BURN_NOTIFICATION, INTERNAL_TRANSFER, JETTON_BURN, loadInternalTransfer, NOTIFICATION } from '../jettons/bodies.ts'
import { NFT_MINTED } from '../nfts/transfer.ts'
import { load, messages, opcode } from './messages.ts'

/* Liquid staking of Tonstakers. https://github.com/ton-blockchain/liquid-staking-contract */

/** The master of the jetton that a pool issues, from the pool's data; undefined for other data. */
export const liquidPoolJetton = (data: Cell): Address | undefined =>
  attempt(() => load('type TonstakePoolData', data).jetton_minter ?? undefined)

const DEPOSIT = opcode('internal tonstake_pool_deposit')
const WITHDRAW = opcode('internal tonstake_pool_withdraw')
/** Opcode with which the pool requests jettons, and also bills (NFTs). */
const MINT = opcode('internal tonstake_payout_mint_jettons')
const POOL_WITHDRAWAL = opcode('internal tonstake_pool_withdrawal')
const START_DISTRIBUTION = 0x1140a64f
const BURN_BILL = opcode('internal tonstake_nft_burn')
const BILL_BURNT = opcode('internal tonstake_nft_burn_notification')
const DISTRIBUTED = opcode('internal tonstake_nft_payout')

const WITHDRAWN = 'tonstakers_withdraw'

/** Fee of a deposit in addition to the stake, in nanograms. */
const DEPOSIT_FEE = 1_000_000_000n

const issuedBy = (pool: Address | null, run: MatcherRun): Address | undefined => run.facts.get(pool ?? '')?.liquidPool?.jetton

const issuesAnother = (pool: Address | null, jetton: Address | null, run: MatcherRun): boolean => (issuedBy(pool, run) ?? jetton) !== jetton

const tonstakersDeposit: Matcher = {
  at: [DEPOSIT],
  around: {
    each: optional(call(MINT, { each: named('minted', call(INTERNAL_TRANSFER, { each: optional(call(NOTIFICATION)) })) })),
  },
  build(step, found, run) {
    const minted = found.get('minted')
    if (minted === undefined || issuesAnother(step.destination, minted.source, run)) return
    run.group('tonstakers_deposit', [step, ...found.steps], {
      type: 'stake_deposit',
      source: step.source,
      destination: step.destination,
      amount: (step.message.value ?? 0n) - DEPOSIT_FEE,
      asset: minted.source,
      data: { provider: 'liquid_staking', tokens_minted: step.failed ? null : loadInternalTransfer(minted).amount },
      success: !step.failed && !minted.failed,
    })
  },
}

const tonstakersWithdraw: Matcher = {
  at: [JETTON_BURN],
  around: {
    each: call(BURN_NOTIFICATION, {
      each: named('request', call(WITHDRAW, { each: either(named('paid', call(POOL_WITHDRAWAL)), named('billed', call(MINT))) })),
    }),
  },
  build(step, found, run) {
    const burn = loadJettonBurn(step.body)
    const request = found.get('request')!
    if (burn === undefined || issuesAnother(request.destination, request.source, run)) return
    const members = [step, ...found.steps]
    const both = { source: step.source, destination: request.destination, asset: request.source }
    const paid = found.get('paid')
    if (paid !== undefined) {
      const amount = (paid.message.value ?? 0n) - (paid.previous?.message.value ?? 0n)
      const data = { provider: 'liquid_staking', ts_nft: null, tokens_burnt: burn.amount }
      const columns = { ...both, type: 'stake_withdrawal', amount, data, success: !step.failed }
      run.group(WITHDRAWN, members, columns, { info: request.destination })
      return
    }
    const billed = found.get('billed')!
    const bill = billed.next.find(({ kind }) => kind === NFT_MINTED) ?? findCall(billed.next, opcode('internal tonstake_nft_init'))
    run.group('tonstakers_withdraw_request', members, {
      ...both,
      type: 'stake_withdrawal_request',
      sourceSecondary: step.destination,
      amount: burn.amount,
      data: { provider: 'liquid_staking', ts_nft: bill?.destination ?? null },
      success: !step.failed && bill !== undefined,
    })
  },
}

/** Searches the preceding steps for the pool that started the payout of its bills. */
const poolBefore = (step: Step): Address | null => {
  for (let before = step.previous; before !== undefined; before = before.previous) {
    if (before.op === START_DISTRIBUTION) return before.source
    if (before.kind === WITHDRAWN) return (before.info as Address | null | undefined) ?? null
    if (before.op !== BILL_BURNT && before.op !== BURN_BILL && before.op !== DISTRIBUTED) return null
  }
  return null
}

/** The payout of a bill: the bill is burnt, and its owner gets the amount. */
const tonstakersPayout: Matcher = {
  at: [DISTRIBUTED],
  around: { before: call(BILL_BURNT, { before: call(BURN_BILL) }) },
  build(step, found, run) {
    const notification = step.previous!
    const { amount: burnt, owner } = load('internal tonstake_nft_burn_notification', notification.body)
    const pool = poolBefore(notification)
    const columns = {
      type: 'stake_withdrawal',
      source: owner,
      destination: pool,
      asset: issuedBy(pool, run) ?? null,
      amount: step.message.value,
      data: { provider: 'liquid_staking', ts_nft: notification.source, tokens_burnt: burnt },
    }
    run.group(WITHDRAWN, [step, ...found.steps], columns, { info: pool })
  },
}

export const tonstakers: Protocol = {
  messages,
  requiredFacts: {
    pools: [
      [DEPOSIT, (step) => [step.destination]],
      [WITHDRAW, (step) => [step.destination]],
      [START_DISTRIBUTION, (step) => [step.source]],
    ],
  },
  matchers: { 'before transfers': [tonstakersPayout, tonstakersDeposit, tonstakersWithdraw] },
}
