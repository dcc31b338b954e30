import type { PrintedTransaction } from '../model.ts'

/** Maximum number of transactions with stored output, and of characters of all output. The oldest output is dropped first. */
const MAX_TRANSACTIONS = 10_000
const MAX_CHARACTERS = 8_000_000

export interface Printed {
  add(transactions: readonly PrintedTransaction[]): void
  /** Output of the debug instructions of a transaction; empty if an earlier process ran the transaction. `hashKey`: of the transaction's cell. */
  of(hashKey: string): readonly string[]
}

export const createPrinted = (): Printed => {
  const all = new Map<string, readonly string[]>()
  let characters = 0
  const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)
  const remove = (hashKey: string): void => {
    characters -= sizeOf(all.get(hashKey) ?? [])
    all.delete(hashKey)
  }
  return {
    add(transactions) {
      for (const { hashKey, texts } of transactions) {
        remove(hashKey)
        all.set(hashKey, texts)
        characters += sizeOf(texts)
      }
      for (const oldest of all.keys()) {
        if (all.size <= MAX_TRANSACTIONS && characters <= MAX_CHARACTERS) break
        remove(oldest)
      }
    },
    of: (hashKey) => all.get(hashKey) ?? [],
  }
}
