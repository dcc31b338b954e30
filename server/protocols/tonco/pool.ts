import type { Matcher } from '../../actions/matcher.ts'
import { call, named, optional } from '../../actions/pattern.ts'
import { EXCESSES, type Step } from '../../actions/step.ts'
import { load, opcode } from './messages.ts'

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
