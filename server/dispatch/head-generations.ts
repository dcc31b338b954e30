/** What dispatch needs from the chain: which block is the current head. */
export interface HeadKey {
  readonly epoch: number
  readonly id: { readonly rootHash: Uint8Array }
}

/** Counts the heads seen, by epoch and root hash. A revert is a new generation even if it leads to a known block. */
export interface Generations {
  /** The generation of the chain's current head. In cache keys it stands for that head. */
  of(head: HeadKey): number
  /** The newest generation. */
  newest(): number
}

/** `onNew` is called before a new generation is given out. */
export const createGenerations = (onNew: () => void): Generations => {
  let present: HeadKey | undefined
  let presentHash = ''
  let generation = 0
  return {
    of(head) {
      if (head === present) return generation
      const hash = Buffer.from(head.id.rootHash).toString('hex')
      if (head.epoch !== present?.epoch || hash !== presentHash) {
        generation++
        onNew()
      }
      present = head
      presentHash = hash
      return generation
    },
    newest: () => generation,
  }
}
