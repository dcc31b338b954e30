import { createTally } from './memory/tally.ts'

/** Items that wait, by client. Clients take turns: the first one is next, and afterwards it is the last one. */
export const createByClient = <T>() => {
  const waiting = new Map<string, T[]>()
  const tally = createTally()
  return {
    add(client: string, item: T): void {
      tally.add(client, 1)
      const length = waiting.get(client)?.push(item)
      if (length === undefined) waiting.set(client, [item])
    },
    /** The item that `take` returns next. */
    first(): T | undefined {
      const [next] = waiting.values()
      return next?.[0]
    },
    take(): T | undefined {
      const [next] = waiting
      if (next === undefined) return undefined
      const [client, own] = next
      const item = own.shift()
      tally.add(client, -1)
      waiting.delete(client)
      if (own.length > 0) waiting.set(client, own)
      return item
    },
    /** Removes and returns the newest item of the client with the most items. There must be one. */
    takeOfGreediest(): T {
      const client = tally.greediest().values().next().value!
      const own = waiting.get(client)!
      const item = own.pop()!
      tally.add(client, -1)
      if (own.length === 0) waiting.delete(client)
      return item
    },
  }
}
