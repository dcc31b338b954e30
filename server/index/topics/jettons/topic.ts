import { rowsOf } from '../../../store/rows/copy-rows.ts'
import { jettonBurns, jettonMasters, jettonTransfers, jettonWallets } from '../../../store/schema/jettons.ts'
import { detect, hasMethods, idsOf, rowsOfAccounts } from '../contracts/detect.ts'
import type { AccountView, Topic } from '../topic.ts'
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
    const { methodsOf } = await detect(block, context)
    const masters: AccountView[] = []
    const wallets: { readonly account: AccountView; readonly mintless: boolean }[] = []
    for (const account of block.accounts) {
      const methods = methodsOf(account)
      if (hasMethods(methods, MASTER)) masters.push(account)
      if (hasMethods(methods, WALLET)) wallets.push({ account, mintless: hasMethods(methods, MINTLESS) })
    }
    const stored = await rowsOfAccounts(block, context)
    const walletRows = await evaluateWallets(wallets, context)
    const { transfers, burns } = await jettonEvents(block, walletRows, context)
    return {
      tables: [
        rowsOf(jettonMasters, await evaluateMasters(masters, context), stored(jettonMasters)),
        rowsOf(jettonWallets, walletRows, stored(jettonWallets)),
        rowsOf(jettonTransfers, transfers),
        rowsOf(jettonBurns, burns),
      ],
    }
  },
}
