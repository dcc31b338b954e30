import type { Protocol } from '../../actions/protocol.ts'
import { cocoonIncreaseStake, cocoonRegister, cocoonRequestRefund, cocoonSecretHash, cocoonTopUp, cocoonWithdraw } from './clients.ts'
import { messages } from './messages.ts'
import {
  cocoonGrantRefund,
  cocoonProxyCharge,
  cocoonProxyPayout,
  cocoonRegisterProxy,
  cocoonUnregisterProxy,
  cocoonWorkerPayout,
} from './workers-and-proxies.ts'

export const cocoon: Protocol = {
  name: 'Cocoon',
  messages,
  matchers: {
    operations: [
      cocoonWorkerPayout,
      cocoonProxyPayout,
      cocoonProxyCharge,
      cocoonTopUp,
      cocoonRegisterProxy,
      cocoonUnregisterProxy,
      cocoonRegister,
      cocoonSecretHash,
      cocoonRequestRefund,
      cocoonGrantRefund,
      cocoonIncreaseStake,
      cocoonWithdraw,
    ],
  },
}
