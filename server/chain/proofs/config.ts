import type { Cell } from '../../cell/cell.ts'
import { dictGet } from '../../cell/dict.ts'
import type { Block } from '../../tlb/block/block.ts'
import { blockFullText, sameBlock } from '../../tlb/block-id.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { LiteAnswer } from '../liteserver.ts'
import { must, ProofError, proving } from './error.ts'
import { checkHeader, type ProvenBlock } from './header.ts'
import { masterBlockExtraOf, masterExtraOf } from './shards.ts'
import { checkSeparateState, type ProvenState } from './state.ts'

const WHAT = 'configuration'

/** Bit of getConfigAll and getConfigParams: from the previous key block instead of the state. */
export const FROM_KEY_BLOCK = 0x8000

export interface ProvenConfig {
  /** Root of Hashmap 32 ^Cell; with pruned branches where parameters were not asked for. */
  readonly root: Cell
  readonly state: ProvenState
}

/** Checks an answer of getConfigAll or getConfigParams that was made from the state of the block asked for. */
export const checkConfig = (answer: LiteAnswer<'getConfigAll'>, block: BlockId): ProvenConfig =>
  proving(WHAT, () => {
    must(sameBlock(answer.id, block), WHAT, () => `an answer for ${blockFullText(answer.id)} instead of ${blockFullText(block)}`)
    const state = checkSeparateState(answer.stateProof, answer.configProof, block, WHAT)
    return { root: masterExtraOf(state).config.config, state }
  })

/** The configuration (root of Hashmap 32 ^Cell) that a key block carries. Throws for other blocks. */
const keyBlockConfigOf = (block: Block): Cell => {
  const { config } = masterBlockExtraOf(block)
  if (config === undefined) throw new ProofError(WHAT, 'not a key block')
  return config.config
}

/** The same of a proven block. */
export const keyBlockConfig = ({ info, block }: ProvenBlock): Cell => {
  must(info.keyBlock, WHAT, 'not a key block')
  return keyBlockConfigOf(block)
}

/** The same for an answer made with FROM_KEY_BLOCK. Which key block that is, is the server's word: its link to the chain is checked elsewhere. */
export const checkKeyBlockConfig = (answer: LiteAnswer<'getConfigAll'>): { readonly root: Cell; readonly header: ProvenBlock } =>
  proving(WHAT, () => {
    const header = checkHeader(answer.configProof, answer.id)
    return { root: keyBlockConfig(header), header }
  })

/** One parameter's cell out of a configuration; undefined where it has none. Throws where the proof was cut. */
export const configParamIn = (root: Cell, param: number): Cell | undefined =>
  proving(WHAT, () => dictGet(root, 32, BigInt.asUintN(32, BigInt(param)))?.loadRef())
