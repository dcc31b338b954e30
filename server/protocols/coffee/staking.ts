import type { Matcher } from '../../actions/matcher.ts'
import { call, kind, named, optional } from '../../actions/pattern.ts'
import { loadAddress } from '../../actions/read.ts'
import { TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { NFT_MINTED, nftMintOf } from '../nfts/mint.ts'
import { opcode } from './messages.ts'

/* Staking of swap.coffee. A stake is an NFT. */

const DEPOSIT = opcode('internal coffee_staking_deposit')
/** Three messages and a log share this opcode. */
const WITHDRAW = 0xcb03bfaf
const CLAIM_REWARDS = opcode('internal coffee_staking_claim_rewards')

export const coffeeStake: Matcher = {
  name: 'swap.coffee stake',
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

/**
 * staking_position_withdraw_2#cb03bfaf query_id:uint64 nft_id:uint64 owner:MsgAddressInt points:Coins ... = InMsgBody;
 * staking_position_withdraw_3#cb03bfaf query_id:uint64 jetton_wallet:MsgAddressInt jetton_amount:Coins ... = InMsgBody;
 */
export const coffeeUnstake: Matcher = {
  name: 'swap.coffee unstake',
  at: [WITHDRAW],
  around: {
    each: named(
      'second',
      call(WITHDRAW, {
        all: [named('third', call(WITHDRAW, { all: [named('paid', kind(TRANSFERRED))] })), optional(named('log', call(WITHDRAW)))],
      }),
    ),
  },
  build(step, found, run) {
    const [second, third, paid, log] = ['second', 'third', 'paid', 'log'].map((name) => found.get(name))
    const position = second!.rest().skip(64)
    const nft_index = position.loadUintBig(64)
    const owner = loadAddress(position)
    const points = position.loadCoins()
    const payment = third!.rest().skip(64)
    const wallet = loadAddress(payment)
    run.group('coffee_staking_withdraw', [step, second!, third!, paid!, ...(log === undefined ? [] : [log])], {
      source: owner,
      sourceSecondary: transferOf(paid!).receiverWallet,
      destination: second!.source,
      destinationSecondary: wallet,
      asset: transferOf(paid!).jetton,
      amount: payment.loadCoins(),
      data: { nft_address: step.destination, nft_index, points },
    })
  },
}

/** staking_claim_rewards query_id:uint64 jetton_wallet:MsgAddressInt jetton_amount:Coins receiver:MsgAddressInt ... = InMsgBody; */
export const coffeeRewards: Matcher = {
  name: 'swap.coffee rewards',
  at: [CLAIM_REWARDS],
  around: { all: [named('paid', kind(TRANSFERRED)), optional(named('log', call(CLAIM_REWARDS)))] },
  build(step, found, run) {
    const paid = found.get('paid')!
    const log = found.get('log')
    const s = step.rest().skip(64)
    const wallet = loadAddress(s)
    const amount = s.loadCoins()
    run.group('coffee_staking_claim_rewards', [step, paid, ...(log === undefined ? [] : [log])], {
      source: step.destination,
      sourceSecondary: wallet,
      destination: loadAddress(s),
      destinationSecondary: transferOf(paid).receiverWallet,
      asset: transferOf(paid).jetton,
      amount,
    })
  },
}
