/** Numbers for heads sent to workers. A worker returns the number once it has set the head. */
export interface Tickets {
  /** The ticket of a head. A new head gets the next ticket, and `tell` is called to send it. */
  of(network: string, head: object, tell: (ticket: number) => void): number
  /** A network was lost or reopened: its next head counts as new in any case. */
  forget(network: string): void
  /** Resolves when every worker has returned this ticket or a later one, or after `patience` milliseconds. */
  settled(ticket: number, patience: number): Promise<void>
  /** A worker has returned a ticket or is gone. */
  seen(): void
}

/** `given`: the last ticket that each worker has returned. */
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
