import { readContent } from '../../tlb/contracts/token-content.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { sameAccount } from '../../tlb/ids.ts'
import { asCell, asInt, type CallMethod } from '../get-method.ts'
import { boc } from '../wire.ts'
import { addressArgument, asAddress, shown } from './address-entry.ts'

/* TEP-74 (jettons) and TEP-137 (mintless claims). A function returns undefined if the contract is not a token of its kind. */

/** get_jetton_data: total supply, mintable, admin, content, wallet code. */
export const jettonMaster = async (id: AccountId, address: string, call: CallMethod) => {
  const { exitCode, stack } = await call(id, 'get_jetton_data')
  if (exitCode !== 0 || stack.length < 5) return undefined
  const supply = asInt(stack[0])
  const mintable = asInt(stack[1])
  const admin = asAddress(stack[2])
  const content = asCell(stack[3])
  const code = asCell(stack[4])
  if (supply === undefined || mintable === undefined || admin === undefined || !content || !code) return undefined
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
    jetton_wallet_code: boc(code),
  } as const
}

/** get_wallet_data: balance, owner, master, code. The master's get_wallet_address must return this wallet's address. */
export const jettonWallet = async (id: AccountId, address: string, call: CallMethod) => {
  const { exitCode, stack } = await call(id, 'get_wallet_data')
  if (exitCode !== 0 || stack.length < 4) return undefined
  const balance = asInt(stack[0])
  const owner = asAddress(stack[1])
  const master = asAddress(stack[2])
  const code = asCell(stack[3])
  if (balance === undefined || owner === undefined || owner === 'none' || master === undefined || master === 'none' || !code)
    return undefined

  const back = await call(master, 'get_wallet_address', [addressArgument(owner)])
  const expected = back.exitCode === 0 ? asAddress(back.stack[0]) : undefined
  if (expected === undefined || expected === 'none' || !sameAccount(expected, id)) return undefined

  const claimed = await call(id, 'is_claimed')
  const flag = claimed.exitCode === 0 && claimed.stack.length === 1 ? asInt(claimed.stack[0]) : undefined
  return {
    '@type': 'ext.tokens.jettonWalletData',
    address,
    contract_type: 'jetton_wallet',
    balance: balance.toString(),
    owner: shown(owner),
    jetton: shown(master),
    ...(flag !== undefined && { mintless_is_claimed: flag !== 0n }),
    jetton_wallet_code: boc(code),
  } as const
}
