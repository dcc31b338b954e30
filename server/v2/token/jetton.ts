import { addressValue, cell, int } from '../../index/topics/contracts/stack-values.ts'
import { readContent } from '../../tlb/contracts/token-content.ts'
import { type AccountId, sameAccount } from '../../tlb/ids.ts'
import { type CallMethod, readValues } from '../get-method.ts'
import { bocInTurns } from '../wire.ts'
import { account, addressOrNone, shown } from './address-entry.ts'

/* TEP-74 (jettons) and TEP-137 (mintless claims). A function returns undefined if the contract is not a token of its kind. */

/** get_jetton_data: total supply, mintable, admin, content, wallet code. */
export const jettonMaster = async (id: AccountId, address: string, call: CallMethod, signal: AbortSignal) => {
  const read = readValues(await call(id, 'get_jetton_data'), int, int, addressOrNone, cell, cell)
  if (!read) return undefined
  const [supply, mintable, admin, content, code] = read
  const jetton_content = readContent(content)
  if (!jetton_content) return undefined
  return {
    '@type': 'ext.tokens.jettonMasterData',
    address,
    contract_type: 'jetton_master',
    total_supply: supply.toString(),
    mintable: mintable !== 0n,
    ...(admin !== 'none' && { admin_address: shown(admin) }),
    jetton_content,
    jetton_wallet_code: await bocInTurns(code, signal),
  } as const
}

/** get_wallet_data: balance, owner, master, code. The master's get_wallet_address must return this wallet's address. */
export const jettonWallet = async (id: AccountId, address: string, call: CallMethod, signal: AbortSignal) => {
  const read = readValues(await call(id, 'get_wallet_data'), int, account, account, cell)
  if (!read) return undefined
  const [balance, owner, master, code] = read
  const expected = readValues(await call(master, 'get_wallet_address', [addressValue(owner)]), account)
  if (!expected || !sameAccount(expected[0], id)) return undefined

  const claimed = await call(id, 'is_claimed')
  const flag = claimed.stack.length === 1 ? readValues(claimed, int) : undefined
  return {
    '@type': 'ext.tokens.jettonWalletData',
    address,
    contract_type: 'jetton_wallet',
    balance: balance.toString(),
    owner: shown(owner),
    jetton: shown(master),
    ...(flag && { mintless_is_claimed: flag[0] !== 0n }),
    jetton_wallet_code: await bocInTurns(code, signal),
  } as const
}
