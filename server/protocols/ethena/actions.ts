import type { Matcher } from '../../actions/matcher.ts'
import { call, kind, named } from '../../actions/pattern.ts'
import type { Protocol } from '../../actions/protocol.ts'
import type { Address } from '../../actions/trace.ts'
import { INTERNAL_TRANSFER, JETTON_TRANSFER, loadInternalTransfer, NOTIFICATION } from '../jettons/bodies.ts'
import { MINT, MINTED, mintOf } from '../jettons/mint-burn.ts'
import { TRANSFERRED, transferOf } from '../jettons/transfer.ts'

/* Ethena: USDe is staked for tsUSDe. */

const USDE: Address = '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC'
const TS_USDE: Address = '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D'

const TIMELOCKED = 0xb2583ed5

const minted = named('mint', call(MINT, { each: named('locked', call(TIMELOCKED)) }))

const ethenaWithdrawal: Matcher = {
  at: [JETTON_TRANSFER],
  around: { each: named('received', call(INTERNAL_TRANSFER, { each: call(NOTIFICATION, { each: minted }) })) },
  build(step, found, run) {
    const received = found.get('received')!
    const locked = found.get('locked')!
    const from = run.jettonWallet(step.destination)
    const to = run.jettonWallet(locked.destination)
    if (from === undefined || to === undefined || from.owner !== step.source || to.owner !== step.source) return
    if (from.jetton !== received.destination || to.jetton !== locked.source) return
    run.group('ethena_withdrawal_request', [step, ...found.steps], {
      type: 'stake_withdrawal_request',
      source: step.source,
      sourceSecondary: step.destination,
      destination: found.get('mint')!.source,
      asset: from.jetton,
      amount: loadInternalTransfer(received).amount,
      data: { provider: 'ethena', tokens_minted: loadInternalTransfer(locked).amount },
    })
  },
}

const ethenaDeposit: Matcher = {
  at: [TRANSFERRED],
  around: { each: named('minted', kind(MINTED)) },
  build(step, found, run) {
    const minted = found.get('minted')!
    const transfer = transferOf(step)
    const mint = mintOf(minted)
    if (transfer.jetton !== USDE || mint.jetton !== TS_USDE) return
    run.group('ethena_deposit', [step, minted], {
      type: 'stake_deposit',
      source: transfer.sender,
      sourceSecondary: transfer.senderWallet,
      destination: transfer.receiver,
      amount: transfer.amount,
      asset: mint.jetton,
      asset2: transfer.jetton,
      data: { provider: 'ethena', tokens_minted: mint.amount },
    })
  },
}

export const ethena: Protocol = {
  matchers: { 'before mints': [ethenaWithdrawal], operations: [ethenaDeposit] },
}
