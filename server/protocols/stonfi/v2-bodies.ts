import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { loadRawAddress } from '../../tlb/raw-address.ts'
import { load, opcode } from './messages.ts'

/* Bodies of Ston.fi, version 2. https://docs.ston.fi */

export const SWAP_V2 = opcode('internal stonfi_swap_v2')
export const PAY_TO_V2 = opcode('internal stonfi_pay_to_v2')
const CROSS_PROVIDE = 0x69cf1a5b

const MAX_POOLS = 16

/** Returns the wallets of all pools on the route of a swap: the swap's own wallet first, then those in its custom payload. */
export const walletsOfRoute = (body: Cell): (Address | null)[] => {
  const swap = load('internal stonfi_swap_v2', body)
  const wallets = [swap.token_wallet1]
  for (let cell = swap.custom_payload ?? undefined; cell !== undefined && wallets.length < MAX_POOLS; ) {
    const s = cell.slice()
    const op = s.loadUint(32)
    if (op !== SWAP_V2 && op !== CROSS_PROVIDE) break
    wallets.push(loadRawAddress(s))
    if (s.remainingRefs === 0) break
    const body = s.loadRef().slice()
    for (let i = 0; i < 2; i++) body.skip(8 * body.loadUint(4))
    cell = body.remainingRefs > 0 ? body.loadMaybeRef() : undefined
  }
  return wallets
}

/** Reads the payment of a pool after a swap. Of the two amounts in the message, the smaller one is zero. */
export const loadPayTo = (step: Step) => {
  const pay = load('internal stonfi_pay_to_v2', step.body)
  const exitCode = pay.exit_code
  return pay.amount1_out > pay.amount0_out
    ? { exitCode, amount: pay.amount1_out, wallet: pay.token1_address }
    : { exitCode, amount: pay.amount0_out, wallet: pay.token0_address }
}
