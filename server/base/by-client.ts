/** Items that wait, by client. Clients take turns: the first one is next, and afterwards it is the last one. */
export const createByClient = <T>() => {
  const waiting = new Map<string, T[]>()
  return {
    add(client: string, item: T): void {
      const own = waiting.get(client)
      if (own === undefined) waiting.set(client, [item])
      else own.push(item)
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
      waiting.delete(client)
      if (own.length > 0) waiting.set(client, own)
      return item
    },
    /** Removes and returns the newest item of the client with the most items. There must be one. */
    takeOfGreediest(): T {
      const [client, own] = [...waiting].reduce((a, b) => (b[1].length > a[1].length ? b : a))
      const item = own.pop()!
      if (own.length === 0) waiting.delete(client)
      return item
    },
  }
}
