import type { Matcher } from '../../actions/matcher.ts'
import { call, kind, named, optional } from '../../actions/pattern.ts'
import { TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { NFT_MINTED, nftMintOf } from '../nfts/transfer.ts'
import { load, opcode } from './messages.ts'

/* Staking of swap.coffee. A stake is an NFT. */

const DEPOSIT = opcode('internal coffee_staking_deposit')
/** Opcode that the three messages of a withdrawal and its log share. */
const WITHDRAW = 0xcb03bfaf
const CLAIM_REWARDS = opcode('internal coffee_staking_claim_rewards')

export const coffeeStake: Matcher = {
  at: [TRANSFERRED],
  around: { each: named('pool', call(DEPOSIT, { all: [optional(named('log', call(DEPOSIT))), named('item', kind(NFT_MINTED))] })) },
  build(step, found, run) {
    const transfer = transferOf(step)
    const pool = found.get('pool')!
    const item = found.get('item')!
    const log = found.get('log')
    const { item: address, index } = nftMintOf(item)
    run.group('coffee_staking_deposit', [step, pool, item, ...(log === undefined ? [] : [log])], {
      source: transfer.sender,
      sourceSecondary: transfer.senderWallet,
      destination: pool.destination,
      destinationSecondary: transfer.receiverWallet,
      asset: transfer.jetton,
      amount: transfer.amount,
      data: { minted_item_address: address, minted_item_index: index },
    })
  },
}

const paidBack = named('third', call(WITHDRAW, { all: [named('paid', kind(TRANSFERRED))] }))

export const coffeeUnstake: Matcher = {
  at: [WITHDRAW],
  around: { each: named('second', call(WITHDRAW, { all: [paidBack, optional(named('log', call(WITHDRAW)))] })) },
  build(step, found, run) {
    const [second, third, paid, log] = ['second', 'third', 'paid', 'log'].map((name) => found.get(name))
    const { nft_index, owner, points } = load('type CoffeeStakingWithdrawal2', second!.body)
    const { jetton_wallet: wallet, jetton_amount: amount } = load('type CoffeeStakingWithdrawal3', third!.body)
    run.group('coffee_staking_withdraw', [step, second!, third!, paid!, ...(log === undefined ? [] : [log])], {
      source: owner,
      sourceSecondary: transferOf(paid!).receiverWallet,
      destination: second!.source,
      destinationSecondary: wallet,
      asset: transferOf(paid!).jetton,
      amount,
      data: { nft_address: step.destination, nft_index, points },
    })
  },
}

export const coffeeRewards: Matcher = {
  at: [CLAIM_REWARDS],
  around: { all: [named('paid', kind(TRANSFERRED)), optional(named('log', call(CLAIM_REWARDS)))] },
  build(step, found, run) {
    const paid = found.get('paid')!
    const log = found.get('log')
    const { jetton_wallet: wallet, jetton_amount: amount, receiver } = load('internal coffee_staking_claim_rewards', step.body)
    run.group('coffee_staking_claim_rewards', [step, paid, ...(log === undefined ? [] : [log])], {
      source: step.destination,
      sourceSecondary: wallet,
      destination: receiver,
      destinationSecondary: transferOf(paid).receiverWallet,
      asset: transferOf(paid).jetton,
      amount,
    })
  },
}
