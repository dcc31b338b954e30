import type { Cell } from '../../cell/cell.ts'
import { type BlockId, blockFullText, sameBlock } from '../../tlb/ids.ts'
import type { LiteAnswer } from '../liteserver.ts'
import { must, ProofError, provingSteps } from './error.ts'
import { checkHeader, type ProvenBlock } from './header.ts'
import { MAX_ANSWER_CELLS, provenTreeSteps } from './roots.ts'
import { masterBlockExtraOf, masterExtraOf } from './shards.ts'
import { checkStateRoot } from './state.ts'

const WHAT = 'configuration'

/** Mode bit of getConfigAll and getConfigParams: read from the previous key block, not from the state. */
export const FROM_KEY_BLOCK = 0x8000

/**
 * Checks an answer of getConfigAll or getConfigParams that was made from the state of the requested block. The `root` of the result is that of Hashmap 32
 * ^Cell; branches of parameters that were not requested are pruned.
 */
export const checkConfig = (answer: LiteAnswer<'getConfigAll'>, block: BlockId) => provingSteps(WHAT, configSteps(answer, block))

function* configSteps(answer: LiteAnswer<'getConfigAll'>, block: BlockId) {
  must(sameBlock(answer.id, block), WHAT, () => `an answer for ${blockFullText(answer.id)} instead of ${blockFullText(block)}`)
  const root = yield* provenTreeSteps(answer.configProof, WHAT, { cells: MAX_ANSWER_CELLS })
  const state = checkStateRoot(root, checkHeader(answer.stateProof, block), WHAT)
  return { root: masterExtraOf(state).config.config, state }
}

/** The configuration (root of Hashmap 32 ^Cell) in a key block. Throws for other blocks. */
export const keyBlockConfig = ({ info, block }: ProvenBlock): Cell => {
  const { config } = masterBlockExtraOf(block)
  if (!info.keyBlock || config === undefined) throw new ProofError(WHAT, 'not a key block')
  return config.config
}
