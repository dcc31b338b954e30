/** Clients are in classes by how many of their items wait: up to 3, 15, 63, 255, or more. The client '' is the service itself, and always in the first class. */
const CLASSES = 5
/** Every fourth item is taken from each class in turn, so that no client waits for ever. The others are taken from the first class that has any. */
const ROUND = 4

/**
 * Items that wait, by client. A client with few of them goes before one with many, so whoever asks for more than can be done delays mostly itself. Clients with
 * about as many take turns: the first one is next, and afterwards it is the last one.
 */
export const createByClient = <T>() => {
  const waiting = new Map<string, T[]>()
  /** The clients of each class in the order of their turns. One that has more items by now changes its class when it is next. */
  const classes = Array.from({ length: CLASSES }, (): string[] => [])
  let taken = 0
  const classOf = (client: string): number =>
    client === '' ? 0 : Math.min(CLASSES - 1, Math.floor(Math.log2(waiting.get(client)!.length) / 2))
  const join = (client: string): unknown => classes[classOf(client)]!.push(client)
  const remove = (client: string): void => {
    waiting.delete(client)
    const clients = classes.find((each) => each.includes(client))
    clients?.splice(clients.indexOf(client), 1)
  }
  /** Moves clients that have more items by now out of the front of their classes. */
  const settle = (): void => {
    for (const [i, clients] of classes.entries()) while (clients.length > 0 && classOf(clients[0]!) > i) join(clients.shift()!)
  }
  /** The clients of which the first one is next. */
  const next = (): string[] => {
    settle()
    const turn = taken % ROUND === 0 ? (taken / ROUND) % CLASSES : 0
    return [...classes.slice(turn), ...classes].find((clients) => clients.length > 0) ?? []
  }
  return {
    /** Whether a client with few items, of the first two classes, waits. */
    hasModest(): boolean {
      settle()
      return classes[0]!.length + classes[1]!.length > 0
    },
    add(client: string, item: T): void {
      const length = waiting.get(client)?.push(item)
      if (length !== undefined) return
      // The order does not depend on what was there before.
      if (waiting.size === 0) taken = 0
      waiting.set(client, [item])
      join(client)
    },
    /** The item that `take` returns next. */
    first: (): T | undefined => waiting.get(next()[0]!)?.[0],
    take(): T | undefined {
      const client = next().shift()
      if (client === undefined) return undefined
      taken++
      const own = waiting.get(client)!
      const item = own.shift()
      if (own.length > 0) join(client)
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
