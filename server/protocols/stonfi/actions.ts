import type { Protocol } from '../../actions/protocol.ts'
import { loadJettonTransfer } from '../../tlb/message/token-messages.ts'
import { addressIn, JETTON_TRANSFER, loadNotification, NOTIFICATION } from '../jettons/bodies.ts'
import { messages } from './messages.ts'
import { STONFI_SWAP, stonfiSwap } from './swap.ts'
import { loadSwapV2, SWAP_V2, walletsOfRoute } from './v2-bodies.ts'
import { stonfiV2Deposit, stonfiV2Withdrawal } from './v2-liquidity.ts'
import { stonfiV2Swap } from './v2-swap.ts'

export const stonfi: Protocol = {
  name: 'STON.fi',
  messages,
  wanted: {
    accounts: [
      [JETTON_TRANSFER, (step) => [addressIn(loadJettonTransfer(step.message.body)?.forwardPayload, STONFI_SWAP)]],
      [NOTIFICATION, (step) => [addressIn(loadNotification(step).payload, SWAP_V2)]],
      [SWAP_V2, (step) => walletsOfRoute(loadSwapV2(step))],
    ],
  },
  matchers: { swaps: [stonfiSwap, stonfiV2Swap], operations: [stonfiV2Deposit, stonfiV2Withdrawal] },
}
