import { accountKey } from '../../../store/keys.ts'
import { loadWhitelist } from '../../../tlb/contracts/vesting.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { bytes, line } from '../../write/rows/text.ts'
import { address, attempt, cell, stackOf, uint } from '../contracts/read.ts'
import type { AccountView, ExtensionContext } from '../topic.ts'
import { seconds } from './numbers.ts'

/* Vesting wallets, by what their get-methods say (v3.md 6.2). */

export interface VestingRows {
  readonly row: string
  readonly whitelist: readonly string[]
}

const whitelistOf = (value: VmStackValue | undefined): readonly Buffer[] | undefined => {
  if (value?.type === 'null') return []
  const root = cell(value)
  return root && attempt(() => loadWhitelist(root).map(({ workchain, hash }) => accountKey(workchain, hash)))
}

/** get_vesting_data: start, total duration, unlock period, cliff, total amount, sender, owner, whitelist. */
export const evaluateVesting = async (account: AccountView, context: ExtensionContext): Promise<VestingRows | undefined> => {
  const stack = stackOf(await context.run(account, 'get_vesting_data'), 8)
  const times = [0, 1, 2, 3].map((i) => seconds(stack?.[i]))
  const amount = uint(stack?.[4])
  const [sender, owner] = [address(stack?.[5]), address(stack?.[6])]
  const whitelist = whitelistOf(stack?.[7])
  if (times.includes(undefined) || amount === undefined || !sender || !owner || whitelist === undefined) return undefined
  const { key, mcSeqno } = account
  return {
    row: line([bytes(key), String(mcSeqno), ...times.map(String), String(amount), bytes(sender), bytes(owner)]),
    whitelist: whitelist.map((wallet, place) => line([bytes(key), bytes(wallet), String(mcSeqno), String(place)])),
  }
}
