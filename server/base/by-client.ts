/** Items that wait, by client. Clients take turns: the first one is next, and afterwards it is the last one. */
export const createByClient = <T>() => {
  const waiting = new Map<string, T[]>()
  /** The clients in the order of their turns. A Map has an order too, but to delete and set its entries at each turn costs more. */
  let turns: string[] = []
  const remove = (client: string): void => {
    waiting.delete(client)
    turns = turns.filter((each) => each !== client)
  }
  return {
    add(client: string, item: T): void {
      const length = waiting.get(client)?.push(item)
      if (length !== undefined) return
      waiting.set(client, [item])
      turns.push(client)
    },
    /** The item that `take` returns next. */
    first: (): T | undefined => (turns.length === 0 ? undefined : waiting.get(turns[0]!)![0]),
    take(): T | undefined {
      const client = turns.shift()
      if (client === undefined) return undefined
      const own = waiting.get(client)!
      const item = own.shift()
      if (own.length > 0) turns.push(client)
      else waiting.delete(client)
      return item
    },
    /** Removes and returns the newest item of the client with the most items. There must be one. */
    takeOfGreediest(): T {
      let greediest = ''
      let most: T[] = []
      for (const [client, own] of waiting) {
        if (own.length < most.length) continue
        greediest = client
        most = own
      }
      const item = most.pop()!
      if (most.length === 0) remove(greediest)
      return item
    },
  }
}
