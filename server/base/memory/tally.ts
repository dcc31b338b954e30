/** Counts items by client, and knows the clients with the most, of whom there may be ten thousand. */
export const createTally = () => {
  const counts = new Map<string, number>()
  /** Clients by the number of their items. The last set is not empty. */
  const groups: Set<string>[] = []
  return {
    add(client: string, change: 1 | -1): void {
      const before = counts.get(client) ?? 0
      groups[before]?.delete(client)
      const count = before + change
      counts.set(client, count)
      if (count === 0) counts.delete(client)
      else groups[count] = (groups[count] ?? new Set()).add(client)
      while (groups.length > 0 && !groups.at(-1)?.size) groups.pop()
    },
    /** The clients with the most items, in the order in which they came to have so many. */
    greediest: (): ReadonlySet<string> => groups.at(-1) ?? new Set(),
  }
}
