import { type LiteAnswer, type LiteFunction, type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import type { Random } from '../../kit/random.ts'

/* What can be wrong with the source of blocks: it refuses queries, it does not answer for a while, or it lies. */

export type TroubleKind = 'none' | 'refuses' | 'silent' | 'lies'

export interface Trouble {
  kind(): TroubleKind
  begin(kind: TroubleKind): void
  /** The source as it is while there is trouble. */
  over(source: LiteServer): LiteServer
}

/** Error code of a lite-server that has not answered in time. With 651 it would say that it does not have the block: of an unproven chain that is a lie. */
const TIMEOUT = 652
/** Parts of the queries that are refused, and answered with a lie. */
const REFUSED = 0.5
const LIES = 0.25

/** An answer with one bit changed in one of its bytes; undefined if it has none. */
const flipped = (answer: object, random: Random): object | undefined => {
  const names = Object.entries(answer).flatMap(([name, value]) => (value instanceof Uint8Array && value.length > 0 ? [name] : []))
  if (names.length === 0) return undefined
  const name = random.pick(names)
  const bytes = Uint8Array.from((answer as Record<string, Uint8Array>)[name]!)
  bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
  return { ...answer, [name]: bytes }
}

export const createTrouble = (random: Random): Trouble => {
  let kind: TroubleKind = 'none'
  let waiting: (() => void)[] = []
  /** Earlier answers by function, which a liar gives in the place of the right one. */
  const earlier = new Map<LiteFunction, object>()

  const lie = <F extends LiteFunction>(fn: F, answer: LiteAnswer<F>): LiteAnswer<F> => {
    const other = random.chance(0.5) ? earlier.get(fn) : undefined
    return (other ?? flipped(answer, random) ?? answer) as LiteAnswer<F>
  }
  return {
    kind: () => kind,
    begin(next) {
      kind = next
      const ended = waiting
      waiting = []
      for (const go of ended) go()
    },
    over: (source) => ({
      ...source,
      query: async (fn, args, signal) => {
        while (kind === 'silent') await new Promise<void>((resolve) => waiting.push(resolve))
        if (kind === 'refuses' && random.chance(REFUSED)) throw new LiteServerError(TIMEOUT, 'the simulation refuses this')
        const answer = await source.query(fn, args, signal)
        if (kind === 'lies' && random.chance(LIES)) return lie(fn, answer)
        earlier.set(fn, answer)
        return answer
      },
    }),
  }
}
