import { parseBocRoot } from '../../../../server/cell/boc.ts'
import type { TransactionResult } from '../../../../server/tvm/tvm.ts'

const sameCells = (a: Uint8Array, b: Uint8Array): boolean => parseBocRoot(a).equals(parseBocRoot(b))

/** Whether two engines gave the same result: the same transaction and account after it, or the same refusal. */
export const sameResult = (a: TransactionResult, b: TransactionResult): boolean => {
  if (a.ok && b.ok) return sameCells(a.transaction, b.transaction) && sameCells(a.shardAccount, b.shardAccount)
  return !a.ok && !b.ok && a.exitCode === b.exitCode
}
