import type { Protocol } from '../../actions/protocol.ts'
import { loadJettonTransfer } from '../../tlb/message/token-messages.ts'
import { JETTON_TRANSFER, loadNotification, NOTIFICATION } from '../jettons/bodies.ts'
import { loadIf, messages } from './messages.ts'
import { stonfiSwap } from './swap.ts'
import { stonfiV2Deposit, stonfiV2Withdrawal } from './v2-liquidity.ts'
import { SWAP_V2, stonfiV2Swap, walletsOfRoute } from './v2-swap.ts'

export const stonfi: Protocol = {
  messages,
  requiredFacts: {
    accounts: [
      [
        JETTON_TRANSFER,
        ({ body }) => [loadIf('forward stonfi_swap_forward_payload', loadJettonTransfer(body)?.forwardPayload)?.token_wallet ?? null],
      ],
      [
        NOTIFICATION,
        ({ body }) => [loadIf('forward stonfi_swap_v2_forward_payload', loadNotification(body).payload)?.token_wallet1 ?? null],
      ],
      [SWAP_V2, ({ body }) => walletsOfRoute(body)],
    ],
  },
  matchers: { swaps: [stonfiSwap, stonfiV2Swap], operations: [stonfiV2Deposit, stonfiV2Withdrawal] },
}
