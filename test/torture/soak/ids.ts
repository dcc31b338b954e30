/* The ids of all requests. Each is answered exactly once. */

export interface Ids {
  /** A new id, whose answer is awaited from now on. */
  next(): string
  /** An answer has this id. */
  answer(id: unknown): void
  /** Throws if an answer came that nobody waited for, or if requests have none. */
  check(): void
  count(): number
}

export const createIds = (): Ids => {
  let count = 0
  const waiting = new Set<unknown>()
  const faults: string[] = []
  return {
    next() {
      const id = `n${++count}`
      waiting.add(id)
      return id
    },
    answer(id) {
      if (waiting.delete(id)) return
      const isOurs = typeof id === 'string' && Number(id.slice(1)) <= count
      faults.push(`${id} ${isOurs ? 'was answered twice' : 'is the id of no request'}`)
    },
    check() {
      if (waiting.size > 0) faults.push(`${waiting.size} of ${count} requests were not answered: ${[...waiting].slice(0, 5).join(', ')}`)
      if (faults.length > 0) throw new Error(faults.slice(0, 10).join('; '))
    },
    count: () => count,
  }
}
