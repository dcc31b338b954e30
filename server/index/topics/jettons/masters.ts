import { inParallel } from '../../../base/in-parallel.ts'
import type { jettonMasters } from '../../../store/schema/jettons.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { tokenContent } from '../contracts/content.ts'
import { address, cell, int, stackOf, uint } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'

type MasterRow = WriteRow<typeof jettonMasters>

/** Rows of jetton masters. A contract without valid results of get_jetton_data gets no row. */
export const evaluateMasters = async (accounts: readonly AccountView[], context: TopicContext): Promise<readonly MasterRow[]> => {
  if (accounts.length === 0) return []
  await context.states(accounts)
  const first = await context.firstLts(accounts)
  const rows = await inParallel([...accounts.entries()], ([i, account]) => evaluate(account, first[i]!, context))
  return rows.filter((row) => row !== undefined)
}

// get_jetton_data: total_supply:int mintable:int admin:slice content:cell wallet_code:cell
const evaluate = async (account: AccountView, firstLt: bigint, context: TopicContext): Promise<MasterRow | undefined> => {
  const stack = stackOf(await context.run(account, 'get_jetton_data'), 5)
  if (stack === undefined) return undefined
  const supply = uint(stack[0])
  const mintable = int(stack[1])
  const admin = address(stack[2])
  const content = cell(stack[3])
  const code = cell(stack[4])
  if (supply === undefined || mintable === undefined || admin === undefined || !content || !code) return undefined
  const tokenData = tokenContent(content)
  if (tokenData === undefined) return undefined
  return {
    account: account.key,
    mc_seqno: account.mcSeqno,
    total_supply: supply,
    mintable: mintable !== 0n,
    admin,
    content: JSON.stringify(tokenData),
    wallet_code_hash: code.hash(),
    first_lt: firstLt,
  }
}
