import type { jettonMasters } from '../../../store/schema/jettons.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { tokenContent } from '../contracts/content.ts'
import { evaluateEach } from '../contracts/detect.ts'
import { address, cell, int, readAnswer, uint } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'

type MasterRow = WriteRow<typeof jettonMasters>

/** Rows of jetton masters. A contract without valid results of get_jetton_data gets no row. */
export const evaluateMasters = async (accounts: readonly AccountView[], context: TopicContext): Promise<readonly MasterRow[]> => {
  const firstLt = await context.firstLts(accounts)
  // get_jetton_data: total_supply:int mintable:int admin:slice content:cell wallet_code:cell
  return evaluateEach(accounts, context, async (account): Promise<MasterRow | undefined> => {
    const read = readAnswer(await context.run(account, 'get_jetton_data'), uint, int, address, cell, cell)
    if (read === undefined) return undefined
    const [supply, mintable, admin, content, code] = read
    const written = tokenContent(content)
    if (written === undefined) return undefined
    return {
      account: account.key,
      mc_seqno: account.mcSeqno,
      total_supply: supply,
      mintable: mintable !== 0n,
      admin,
      content: written,
      wallet_code_hash: code.hash(),
      first_lt: firstLt(account),
    }
  })
}
