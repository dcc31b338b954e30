import type { Protocol } from '../../actions/protocol.ts'
import { messages } from './messages.ts'
import { jettonBurn, jettonMint } from './mint-burn.ts'
import { jettonTransfer, proxyTransfer, unsentTransfer } from './transfer.ts'

export const jettons: Protocol = {
  name: 'jettons',
  messages,
  matchers: {
    transfers: [jettonTransfer, proxyTransfer],
    burns: [jettonBurn],
    mints: [jettonMint],
    unsent: [unsentTransfer],
  },
}
