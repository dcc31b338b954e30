/** Numbers for heads that are told to workers, which give them back when the head is theirs. */
export interface Tickets {
  /** The ticket of a head; one that was not told yet gets the next, and `tell` tells it. */
  of(network: string, head: object, tell: (ticket: number) => void): number
  /** A network was lost: its next head is new whatever it is. */
  forget(network: string): void
  /** Resolves when every worker has given a ticket back, or after so many milliseconds. */
  settled(ticket: number, patience: number): Promise<void>
  /** A worker gave one back, or is gone. */
  seen(): void
}

/** `given`: the last ticket of each worker. */
export const createTickets = (given: () => readonly number[]): Tickets => {
  const last = new Map<string, { readonly head: object; readonly ticket: number }>()
  const waiting = new Set<() => void>()
  let count = 0
  return {
    of(network, head, tell) {
      const known = last.get(network)
      if (known?.head === head) return known.ticket
      const ticket = ++count
      last.set(network, { head, ticket })
      tell(ticket)
      return ticket
    },
    forget: (network) => void last.delete(network),
    settled: (ticket, patience) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          waiting.delete(look)
          resolve()
        }
        const look = (): void => {
          if (given().every((each) => each >= ticket)) end()
        }
        const timer = setTimeout(end, patience)
        waiting.add(look)
        look()
      }),
    seen() {
      for (const look of [...waiting]) look()
    },
  }
}
