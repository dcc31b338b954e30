import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, type Found, kind, named, optional } from '../../actions/pattern.ts'
import { EXCESSES, findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { depositColumns, type Excess, type Put, payoutOf, type Taken, withdrawalColumns } from '../exchanges/liquidity.ts'
import { assetOfWallet } from '../exchanges/swap.ts'
import { loadNotification, NOTIFICATION } from '../jettons/bodies.ts'
import { TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { NFT_MINTED } from '../nfts/transfer.ts'
import { PROXY_PAYMENT } from '../stonfi/messages.ts'
import { FUND_ACCOUNT, loadPayToRouter, PAY_TO, type Payment } from './bodies.ts'
import { load, loadIf, opcode } from './messages.ts'

/* Liquidity of Tonco. Shares are positions (NFTs) over a range of prices between two ticks. */

const POSITION_BURN = opcode('internal tonco_position_nft_burn')
const POOL_BURN = opcode('internal tonco_pool_burn')

/** The router's wallet for Gram. A payment that names this wallet is in Gram. */
const ROUTER_TON_WALLET: Address = '0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17'

const paid = optional(kind(TRANSFERRED, { each: optional(call(PROXY_PAYMENT)) }))

/** Returns the notification that the router got, and the user's jetton wallet; null for Gram. */
const inputOf = (found: Found): { readonly notification: Step; readonly wallet: Address | null } | undefined => {
  const ton = found.get('ton')
  if (ton !== undefined) return { notification: ton, wallet: null }
  const jettons = found.get('jettons')!
  const notification = findCall(jettons.parts, NOTIFICATION)
  return notification && { notification, wallet: transferOf(jettons).senderWallet }
}

const excessesOf = (found: Found): Excess[] =>
  ['excess 0', 'excess 1'].flatMap((name) => {
    const transfer = found.get(name)
    if (transfer === undefined) return []
    const { asset, amount } = payoutOf(transfer).taken
    return [{ asset, amount }]
  })

export const toncoDeposit: Matcher = {
  at: [opcode('internal tonco_account_add_liquidity')],
  around: {
    before: call(FUND_ACCOUNT, {
      before: either(named('ton', call(NOTIFICATION, { before: call(PROXY_PAYMENT) })), named('jettons', kind(TRANSFERRED))),
    }),
    each: optional(
      call(opcode('internal tonco_pool_mint_and_refund'), {
        all: [
          optional(call(PAY_TO, { all: [optional(named('excess 0', paid)), optional(named('excess 1', paid))] })),
          named('position', kind(NFT_MINTED)),
          optional(call(EXCESSES)),
        ],
      }),
    ),
  },
  build(step, found, run) {
    const add = load('internal tonco_account_add_liquidity', step.body)
    const isFirst = add.new_amount0 > 0n
    const minted = found.get('position')
    const position = minted && load('internal tonco_position_nft_init', minted.body)
    const input = inputOf(found)
    if (input === undefined) return
    const { amount, sender, payload } = loadNotification(input.notification.body)
    const order = loadIf('forward tonco_pool_fund_account_payload', payload)
    if (order === undefined) return
    const asset = assetOfWallet(input.notification.source, run) ?? null
    const other = assetOfWallet(order.other_jetton_wallet, run) ?? null
    const put: Put = { asset, amount, wallet: input.wallet }
    const columns = depositColumns({
      dex: 'tonco',
      sender,
      senderWallet: input.wallet,
      pool: step.source,
      gatherer: step.destination,
      puts: [put, undefined],
      targets: [
        { asset: isFirst ? asset : other, amount: add.new_enough0 },
        { asset: isFirst ? other : asset, amount: add.new_enough1 },
      ],
      minted: position?.liquidity ?? null,
      excesses: excessesOf(found),
      ticks: [add.tick_lower, add.tick_upper],
      position: position && { index: position.old_fee_cell.nft_index, address: minted!.destination },
    })
    // The user's wallet is shown with the asset that it sent, which can be the second one.
    const wallets = isFirst ? {} : { user_jetton_wallet_1: null, user_jetton_wallet_2: input.wallet }
    run.group('tonco_deposit_liquidity', [step, ...found.steps], { ...columns, data: { ...columns.data, ...wallets } })
  },
}

/** Returns the payment of one asset. Without a transfer, this is the payment in the message to the router. */
const takenBy = (
  transfer: Step | undefined,
  ordered: Payment | undefined,
  router: Address | null,
  run: MatcherRun,
): { taken: Taken | undefined; proxy?: Step | undefined } => {
  if (transfer !== undefined) return payoutOf(transfer)
  if (ordered === undefined) return { taken: undefined }
  const { amount, wallet: dexJettonWallet, receiver: wallet } = ordered
  return { taken: { asset: assetOfWallet(dexJettonWallet, run) ?? null, amount, wallet, dexWallet: router, dexJettonWallet } }
}

const withoutTonWallet = (payment: Payment): Payment => (payment.wallet === ROUTER_TON_WALLET ? { ...payment, wallet: null } : payment)

const paidOut = named('pay', call(PAY_TO, { all: [optional(named('first', paid)), optional(named('second', paid))] }))

export const toncoWithdrawal: Matcher = {
  at: [opcode('internal tonco_pool_start_burn')],
  around: { each: named('position', call(POSITION_BURN, { each: named('burn', call(POOL_BURN, { each: paidOut })) })) },
  build(step, found, run) {
    const start = load('internal tonco_pool_start_burn', step.body)
    const position = found.get('position')!
    const burnt = load('internal tonco_pool_burn', found.get('burn')!.body).burned_index
    const pay = found.get('pay')!
    const { exitCode, payments } = loadPayToRouter(pay)
    const ordered = payments.map(withoutTonWallet)
    const sides = [takenBy(found.get('first'), ordered[0], pay.source, run), takenBy(found.get('second'), ordered[1], pay.source, run)]
    // Puts the sides in the order of the pool's assets.
    const inOrder = (sides[0]!.taken?.dexJettonWallet ?? null) === (ordered[0]?.wallet ?? null)
    const [first, second] = inOrder ? sides : sides.toReversed()
    const columns = withdrawalColumns({
      dex: 'tonco',
      sender: load('internal tonco_position_nft_burn', position.body).nft_owner,
      senderWallet: null,
      pool: step.destination,
      asset: null,
      burnt: start.liquidity_to_burn,
      ticks: [start.tick_lower, start.tick_upper],
      taken: [first!.taken, second!.taken],
      position: { index: burnt > 0n ? burnt : start.burned_index, address: position.destination },
      failed: exitCode !== 0 && exitCode !== 201,
    })
    const proxies = sides.flatMap(({ proxy }) => proxy ?? [])
    run.group('tonco_withdraw_liquidity', [step, ...found.steps, ...proxies], { ...columns, type: 'dex_withdraw_liquidity' })
  },
}

const POOL_INIT = opcode('internal tonco_pool_init')

const shownOf = (step: Step) => {
  const pool = load('internal tonco_router_create_pool', step.body)
  return {
    jetton0_router_wallet: pool.jetton_wallet0,
    jetton1_router_wallet: pool.jetton_wallet1,
    jetton0_minter: pool.minter_cell.jetton0_minter,
    jetton1_minter: pool.minter_cell.jetton1_minter,
    tick_spacing: pool.tick_spacing,
    initial_price_x96: pool.initial_price_x96,
    protocol_fee: pool.protocol_fee,
    lp_fee_base: pool.lp_fee_base,
    lp_fee_current: pool.lp_fee_current,
  }
}

export const toncoPool: Matcher = {
  at: [opcode('internal tonco_router_create_pool')],
  around: { each: named('init', call(POOL_INIT, { each: optional(named('excesses', call(EXCESSES))), strict: true })) },
  build(step, found, run) {
    const init = found.get('init')!
    const excesses = found.get('excesses')
    run.group('tonco_deploy_pool', [step, init, ...(excesses === undefined ? [] : [excesses])], {
      source: step.source,
      destination: step.destination,
      destinationSecondary: init.destination,
      success: true,
      data: { ...shownOf(step), pool_active: load('internal tonco_pool_init', init.body).pool_active },
    })
  },
}
