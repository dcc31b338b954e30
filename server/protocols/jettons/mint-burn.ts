import type { Matcher } from '../../actions/matcher.ts'
import { call, either, optional } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { loadJettonBurn } from '../../tlb/message/token-messages.ts'
import { BURN_NOTIFICATION, INTERNAL_TRANSFER, JETTON_BURN, loadInternalTransfer, NOTIFICATION } from './bodies.ts'
import { load, opcode } from './messages.ts'

export const BURNED = 'jetton_burn'
export const MINTED = 'jetton_mint'

export interface JettonBurn {
  readonly owner: Address
  readonly wallet: Address | null
  readonly jetton: Address
  readonly amount: bigint
}
export const burnOf = (step: Step): JettonBurn => step.info as JettonBurn

/** The data of a mint for later matchers. */
export interface JettonMint {
  readonly jetton: Address | null
  readonly wallet: Address | null
  /** Null if no message contains the amount. */
  readonly amount: bigint | null
}
export const mintOf = (step: Step): JettonMint => step.info as JettonMint

export const jettonBurn: Matcher = {
  at: [JETTON_BURN],
  around: { each: optional(call(BURN_NOTIFICATION)) },
  build(step, found, run) {
    const body = loadJettonBurn(step.body)
    const wallet = run.jettonWallet(step.destination)
    if (body === undefined || wallet === undefined) return
    const { owner, jetton } = wallet
    const { amount } = body
    const columns = { source: owner, sourceSecondary: step.destination, asset: jetton, amount, success: !step.failed }
    const info: JettonBurn = { owner, wallet: step.destination, jetton, amount }
    run.group(BURNED, [step, ...found.steps], columns, { info })
  },
}

export const MINT = opcode('internal jetton_mint')
export const MINTER_MINT = opcode('internal minter_jetton_mint')

/** Reads the body of MINT or MINTER_MINT. Both begin with the same fields. Only MINTER_MINT contains the message to the wallet, which has the amount. */
const loadMint = ({ op, body }: Step) => {
  const mint = load('internal minter_jetton_mint', body)
  const requested = op === MINTER_MINT ? load('internal jetton_internal_transfer', mint.master_msg).amount : null
  return { to: mint.to_address, tonAmount: mint.ton_amount, requested }
}

export const jettonMint: Matcher = {
  at: [MINT, MINTER_MINT],
  around: {
    each: optional(either(call(NOTIFICATION), call(INTERNAL_TRANSFER, { each: optional(call(NOTIFICATION)) }))),
  },
  build(step, found, run) {
    const { to, tonAmount, requested } = loadMint(step)
    const inner = findCall(found.steps, INTERNAL_TRANSFER)
    const members = [step, ...found.steps]
    if (step.failed || inner === undefined) {
      const columns = { destination: to, asset: step.destination, amount: requested, value: tonAmount, success: false }
      run.group(MINTED, members, columns, { info: { jetton: step.destination, wallet: null, amount: requested } satisfies JettonMint })
      return
    }
    const wallet = run.jettonWallet(inner.destination)
    if (wallet === undefined) return
    const { owner, jetton } = wallet
    const { amount } = loadInternalTransfer(inner)
    const minted = { destination: owner, destinationSecondary: inner.destination, asset: jetton, amount }
    const info: JettonMint = { jetton, wallet: inner.destination, amount }
    run.group(MINTED, members, { ...minted, value: tonAmount, success: !inner.failed }, { info })
  },
}
