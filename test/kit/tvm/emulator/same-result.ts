import { shardAccountCell } from '../../../../server/tlb/state/shard-account.ts'
import type { TransactionOutcome } from '../../../../server/tvm/make-transaction.ts'

/** Whether two engines gave the same result: the same transaction and account after it, or the same refusal. */
export const sameResult = (a: TransactionOutcome, b: TransactionOutcome): boolean => {
  if (a.ok && b.ok) return a.transaction.equals(b.transaction) && shardAccountCell(a.shardAccount).equals(shardAccountCell(b.shardAccount))
  return !a.ok && !b.ok && a.exitCode === b.exitCode
}
