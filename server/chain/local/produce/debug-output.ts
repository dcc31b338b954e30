import { Lru } from '../../../base/memory/lru.ts'
import type { PrintedTransaction } from '../model.ts'

/** Maximum number of transactions with stored output, and of characters of all output. */
const MAX_TRANSACTIONS = 10_000
const MAX_CHARACTERS = 8_000_000

export const createPrinted = () => {
  const all = new Lru<string, readonly string[]>({
    max: MAX_TRANSACTIONS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (texts) => texts.reduce((sum, text) => sum + text.length, 1),
  })
  return {
    add(transactions: readonly PrintedTransaction[]): void {
      for (const { hashKey, texts } of transactions) all.set(hashKey, texts)
    },
    /** Output of the debug instructions of a transaction; empty if an earlier process ran the transaction. `hashKey`: of the transaction's cell. */
    of: (hashKey: string): readonly string[] => all.get(hashKey) ?? [],
  }
}
export type Printed = ReturnType<typeof createPrinted>
