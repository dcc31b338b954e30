import type { PrintedTransaction } from '../model.ts'

/** Most transactions whose texts are stored, and most characters of all. The newest stay. */
const MAX_TRANSACTIONS = 10_000
const MAX_CHARACTERS = 8_000_000

/** What the newest transactions of this process have printed by debug instructions. */
export interface Printed {
  add(transactions: readonly PrintedTransaction[]): void
  /** Of a transaction, by the hash of its cell; nothing if it printed nothing, or was made before the process began. */
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
