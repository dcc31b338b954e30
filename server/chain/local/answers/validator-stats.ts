import { WHOLE_STATE } from '../../../cell/budget.ts'
import type { Cell } from '../../../cell/cell.ts'
import { walkDict } from '../../../cell/dict.ts'
import { hashToBig } from '../../../tlb/bytes.ts'
import { loadCreatorStats } from '../../../tlb/state/block-create-stats.ts'
import type { LiteArgs } from '../../liteserver.ts'
import { type Answers, type AnswersDeps, masterBlockAndState, refuse } from './find-or-refuse.ts'
import { boc, prove, proveHeader } from './prove.ts'
import { readMasterState } from './read-with-references.ts'

const MAX_ROWS = 1_000
/** Mode bits of getValidatorStats: `after` starts after a key, `orEqual` includes that key. */
const MODE = { after: 1, orEqual: 2, all: 7 } as const

/** Reads up to `limit` records and counts them. The answer contains the records only in its proof. */
const readStats = (state: Cell, { mode, limit, startAfter }: LiteArgs<'getValidatorStats'>) => {
  const stats = readMasterState(state).blockCreateStats
  if (stats === undefined) throw refuse('cannot extract block create stats from mc state')
  const inclusive = (mode & (MODE.after | MODE.orEqual)) !== MODE.after
  let count = 0
  for (const [, leaf] of walkDict(
    stats.counters,
    256,
    { cells: WHOLE_STATE },
    { key: startAfter ? hashToBig(startAfter) : 0n, inclusive },
  )) {
    if (count === Math.min(limit, MAX_ROWS)) return { count, complete: false }
    loadCreatorStats(stats.ext ? leaf.skip(32) : leaf)
    count += 1
  }
  return { count, complete: true }
}

export const validatorStatsAnswers = ({ store }: AnswersDeps): Answers<'getValidatorStats'> => ({
  async getValidatorStats(args) {
    const { mode, id, limit } = args
    if (limit <= 0) throw refuse('requested entry count limit must be positive')
    if (mode & ~MODE.all) throw refuse('unknown flags set in mode')
    const { block, state } = await masterBlockAndState(store, id)
    const { proof, value } = prove(state, (root) => readStats(root, args))
    return { mode, id, ...value, stateProof: boc(proveHeader(block.root)), dataProof: boc(proof) }
  },
})
