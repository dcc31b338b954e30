import { attempt } from '../../../cell/error.ts'
import { accountKey } from '../../../store/row-keys.ts'
import { loadWhitelist, type Whitelist } from '../../../tlb/contracts/vesting.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { cell, readAnswer, seconds, someAddress, uint } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'

const whitelistOf = (value: VmStackValue | undefined): Whitelist | undefined => {
  const root = cell(value)
  return root || value?.type === 'null' ? attempt(() => loadWhitelist(root)) : undefined
}

/** get_vesting_data: start, total duration, unlock period, cliff, total amount, sender, owner, whitelist. */
export const evaluateVesting = async (account: AccountView, context: Pick<TopicContext, 'run' | 'leaveOut'>) => {
  const answer = await context.run(account, 'get_vesting_data')
  const read = readAnswer(answer, seconds, seconds, seconds, seconds, uint, someAddress, someAddress, whitelistOf)
  if (read === undefined) return undefined
  const [start, total, unlock, cliff, amount, sender, owner, whitelist] = read
  const { key, mcSeqno } = account
  if (whitelist.isCut) context.leaveOut()
  return {
    row: {
      account: key,
      mc_seqno: mcSeqno,
      start_time: start,
      total_duration: total,
      unlock_period: unlock,
      cliff_duration: cliff,
      total_amount: amount,
      sender,
      owner,
    },
    members: whitelist.addresses.map(({ workchain, hash }, place) => ({
      account: key,
      wallet: accountKey(workchain, hash),
      mc_seqno: mcSeqno,
      place,
    })),
  }
}
