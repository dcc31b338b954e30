import type { Matcher } from '../../actions/matcher.ts'
import { call, named, optional } from '../../actions/pattern.ts'
import { loadAddress, skipAddress } from '../../actions/read.ts'
import { EXCESSES, type Step } from '../../actions/step.ts'
import { opcode } from './messages.ts'

/* New pools of Tonco. */

const CREATE_POOL = opcode('internal tonco_router_create_pool')
const POOL_INIT = opcode('internal tonco_pool_init')

/**
 * tonco_router_create_pool query_id:uint64 jetton_wallet0:MsgAddress jetton_wallet1:MsgAddress tick_spacing:int24
 *   initial_price_x96:uint160 protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16 nft_content:^Cell item_content:^Cell
 *   ^[ jetton0_minter:MsgAddress jetton1_minter:MsgAddress ... ] = InternalMsgBody;
 */
const loadCreatePool = (step: Step) => {
  const s = step.rest().skip(64)
  const wallets = { jetton0_router_wallet: loadAddress(s), jetton1_router_wallet: loadAddress(s) }
  const tick_spacing = s.loadInt(24)
  const initial_price_x96 = s.loadUintBig(160)
  const fees = { protocol_fee: s.loadUint(16), lp_fee_base: s.loadUint(16), lp_fee_current: s.loadUint(16) }
  s.skipRefs(2)
  const minters = s.loadRef().slice()
  return {
    ...wallets,
    jetton0_minter: loadAddress(minters),
    jetton1_minter: loadAddress(minters),
    tick_spacing,
    initial_price_x96,
    ...fees,
  }
}

/**
 * tonco_pool_init query_id:uint64 from_admin:Bool has_admin:Bool admin:MsgAddress has_controller:Bool controller:MsgAddress
 *   set_spacing:Bool tick_spacing:int24 set_price:Bool initial_price_x96:uint160 set_active:Bool pool_active:Bool ... = InternalMsgBody;
 */
const loadIsActive = (step: Step): boolean => {
  const s = step.rest().skip(64 + 2)
  skipAddress(s)
  skipAddress(s.skip(1))
  return s.skip(1 + 24 + 1 + 160 + 1).loadBit()
}

export const toncoPool: Matcher = {
  name: 'Tonco pool',
  at: [CREATE_POOL],
  around: { each: named('init', call(POOL_INIT, { each: optional(named('excesses', call(EXCESSES))), strict: true })) },
  build(step, found, run) {
    const init = found.get('init')!
    const excesses = found.get('excesses')
    run.group('tonco_deploy_pool', [step, init, ...(excesses === undefined ? [] : [excesses])], {
      source: step.source,
      destination: step.destination,
      destinationSecondary: init.destination,
      success: true,
      data: { ...loadCreatePool(step), pool_active: loadIsActive(init) },
    })
  },
}
