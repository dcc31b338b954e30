import type { Matcher } from '../../actions/matcher.ts'
import { call, either, kind, named, optional } from '../../actions/pattern.ts'
import { EXCESSES, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Asset } from '../exchanges/swap.ts'
import { INTERNAL_TRANSFER } from '../jettons/bodies.ts'
import { isTransfer, paymentOf, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import * as coffee from './bodies.ts'
import { load, opcode } from './messages.ts'

/* Pools and vaults of swap.coffee. Two messages create a pool: each sends one asset to a contract, which then requests the pool. */

const CREATOR = 'coffee_create_pool_creator'
const CREATE_POOL = opcode('internal coffee_create_pool')
const WALLET_REQUEST = 0x2c76b973
const WALLET_RESPONSE = 0xd1735400
const NOTIFIED = 0xb216d31f

const walletFound = optional(call(WALLET_REQUEST, { each: optional(call(WALLET_RESPONSE)) }))

export const coffeeVault: Matcher = {
  at: [opcode('internal coffee_create_vault')],
  around: { each: named('deploy', call(coffee.DEPLOY, { each: walletFound })) },
  build(step, found, run) {
    run.group('coffee_create_vault', [step, ...found.steps], {
      source: step.source,
      destination: found.get('deploy')!.destination,
      asset: coffee.assetOf(load('internal coffee_create_vault', step.body).asset),
      value: step.message.value,
    })
  },
}

interface Creator {
  readonly sender: Address | null
  readonly wallet: Address | null
  readonly asset: Asset
  readonly amount: bigint
  readonly assets: readonly [Asset, Asset]
  readonly contract: Address | null
}

const orderOf = (start: Step) => {
  if (isTransfer(start)) {
    const { payload } = transferOf(start)
    const order = payload && load('forward coffee_create_pool_forward_payload', payload)
    return order && { amount: transferOf(start).amount, order }
  }
  if (start.op !== CREATE_POOL) return undefined
  const order = load('internal coffee_create_pool', start.body)
  return { amount: order.amount, order }
}

export const coffeePoolCreator: Matcher = {
  at: [opcode('internal coffee_create_pool_creator_request')],
  around: {
    before: named('in', either(kind(TRANSFERRED), call(CREATE_POOL), call(opcode('internal coffee_create_pool_extra')))),
    each: named('deploy', call(coffee.DEPLOY)),
  },
  build(step, found, run) {
    const start = found.get('in')!
    const ordered = orderOf(start)
    if (ordered === undefined) return
    const { amount, order } = ordered
    const { sender, senderWallet: wallet, jetton: asset } = paymentOf(start)
    const [first, second] = coffee.assetsOf(order.params)
    const contract = found.get('deploy')!.destination
    const columns = {
      source: sender,
      sourceSecondary: wallet,
      destination: order.creation_params.public.recipient,
      destinationSecondary: contract,
      asset,
      asset2: first,
      asset2Secondary: second,
      amount,
    }
    const info: Creator = { sender, wallet, asset, amount, assets: [first, second], contract }
    run.group(CREATOR, [step, ...found.steps], columns, { info })
  },
}

const lp = call(INTERNAL_TRANSFER, { each: optional(call(EXCESSES)) })
const firstDeposit = named('event', call(coffee.DEPOSIT_EVENT))
const notification = optional(call(coffee.NOTIFICATION, { each: optional(call(NOTIFIED)) }))
const deployed = named('pool', call(coffee.DEPLOY, { all: [lp, firstDeposit, notification] }))

export const coffeePool: Matcher = {
  at: [CREATOR],
  around: { each: named('request', call(opcode('internal coffee_create_pool_request'), { each: deployed })) },
  build(step, found, run) {
    const creator = step.info as Creator
    const request = load('internal coffee_create_pool_request', found.get('request')!.body)
    const [first, second] = creator.assets
    // The creator's asset and its amount come first. If that is not the pool's order of the assets, the initiators are swapped too, as in TON Center.
    const isSecond = creator.asset === second && creator.asset !== first
    const inOrder = <T>(a: T, b: T): readonly [T, T] => (isSecond ? [b, a] : [a, b])
    const [amount_1, amount_2] = inOrder(request.amount1, request.amount2)
    const [initiator_1, initiator_2] = inOrder(creator.sender, request.tx_initiator)
    run.group('coffee_create_pool', [step, ...found.steps], {
      source: creator.sender,
      sourceSecondary: creator.wallet,
      destination: found.get('pool')!.destination,
      destinationSecondary: creator.contract,
      asset: isSecond ? second : first,
      asset2: isSecond ? first : second,
      amount: creator.amount,
      data: {
        amount_1,
        amount_2,
        initiator_1,
        initiator_2,
        provided_asset: creator.asset,
        lp_tokens_minted: coffee.loadMinted(found.get('event')!),
      },
    })
  },
}
