import type { Matcher } from '../../actions/matcher.ts'
import { call, either, kind, named, optional } from '../../actions/pattern.ts'
import { EXCESSES, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Asset } from '../jettons/assets.ts'
import { INTERNAL_TRANSFER } from '../jettons/bodies.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import * as coffee from './bodies.ts'
import { load } from './messages.ts'

/* Pools and vaults of swap.coffee. Two messages create a pool: each sends one asset to a contract, which then requests the pool. */

const CREATOR = 'coffee_create_pool_creator'
const WALLET_REQUEST = 0x2c76b973
const WALLET_RESPONSE = 0xd1735400
const NOTIFIED = 0xb216d31f

export const coffeeVault: Matcher = {
  at: [coffee.CREATE_VAULT],
  around: {
    each: named('deploy', call(coffee.DEPLOY, { each: optional(call(WALLET_REQUEST, { each: optional(call(WALLET_RESPONSE)) })) })),
  },
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
  readonly assets: coffee.PoolAssets
  readonly contract: Address | null
}

const orderOf = (start: Step) => {
  if (isTransfer(start)) {
    const { payload, sender, senderWallet, jetton, amount } = transferOf(start)
    const order = payload && load('forward coffee_create_pool_forward_payload', payload)
    return order && { order, creator: { sender, wallet: senderWallet, asset: jetton, amount } }
  }
  if (start.op !== coffee.CREATE_POOL_NATIVE) return undefined
  const order = load('internal coffee_create_pool', start.body)
  return { order, creator: { sender: start.source, wallet: null, asset: null, amount: order.amount } }
}

export const coffeePoolCreator: Matcher = {
  at: [coffee.CREATE_POOL_CREATOR],
  around: {
    before: named('in', either(kind(TRANSFERRED), call(coffee.CREATE_POOL_NATIVE), call(coffee.CREATE_POOL_EXTRA))),
    each: named('deploy', call(coffee.DEPLOY)),
  },
  build(step, found, run) {
    const ordered = orderOf(found.get('in')!)
    if (ordered === undefined) return
    const { params, creation_params: creation } = ordered.order
    const creator: Creator = { ...ordered.creator, assets: coffee.assetsOf(params), contract: found.get('deploy')!.destination }
    run.group(
      CREATOR,
      [step, ...found.steps],
      {
        source: creator.sender,
        sourceSecondary: creator.wallet,
        destination: creation.public.recipient,
        destinationSecondary: creator.contract,
        asset: creator.asset,
        asset2: creator.assets[0],
        asset2Secondary: creator.assets[1],
        amount: creator.amount,
      },
      { info: creator },
    )
  },
}

export const coffeePool: Matcher = {
  at: [CREATOR],
  around: {
    each: named(
      'request',
      call(coffee.CREATE_POOL_REQUEST, {
        each: named(
          'pool',
          call(coffee.DEPLOY, {
            all: [
              call(INTERNAL_TRANSFER, { each: optional(call(EXCESSES)) }),
              named('event', call(coffee.DEPOSIT_EVENT)),
              optional(call(coffee.NOTIFICATION, { each: optional(call(NOTIFIED)) })),
            ],
          }),
        ),
      }),
    ),
  },
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
