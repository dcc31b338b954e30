import { portionsOf } from '../../../base/memory/portions.ts'
import { rowsOf } from '../../../store/rows/copy-rows.ts'
import { jettonBurns, jettonMasters, jettonTransfers, jettonWallets } from '../../../store/schema/jettons.ts'
import { AT_ONCE, contractsOf, hasMethods, idsOf } from '../contracts/detect.ts'
import type { Topic } from '../topic.ts'
import { jettonEvents } from './events.ts'
import { evaluateMasters } from './masters.ts'
import { evaluateWallets } from './wallets.ts'

const MASTER = idsOf('get_jetton_data')
const WALLET = idsOf('get_wallet_data')
const MINTLESS = idsOf('get_wallet_data', 'is_claimed')

export const jettonsTopic: Topic = {
  name: 'jettons',
  version: 2,
  tables: [jettonMasters, jettonWallets, jettonTransfers, jettonBurns],
  concerns: (_, methods) => hasMethods(methods, MASTER) || hasMethods(methods, WALLET),
  async derive(block, context) {
    const { having, methodsOf, stored } = await contractsOf(block, context)
    const walletRows = await evaluateWallets(having(WALLET), (account) => hasMethods(methodsOf(account), MINTLESS), context)
    const { transfers, burns } = await jettonEvents(block, walletRows, context)
    await context.put([rowsOf(jettonMasters, [], stored(jettonMasters))])
    for (const some of portionsOf(having(MASTER), AT_ONCE)) await context.put([rowsOf(jettonMasters, await evaluateMasters(some, context))])
    return [rowsOf(jettonWallets, walletRows, stored(jettonWallets)), rowsOf(jettonTransfers, transfers), rowsOf(jettonBurns, burns)]
  },
}
