import { type Header, masterExtraOf, readHeader } from './block.ts'
import { type Budget, MAX_PAGE, proofRoot } from './boc.ts'
import type { Cell } from './cell.ts'
import { fail, must, placed, within } from './error.ts'
import { type BlockId, blockText, itemsOf, masterBlockId, membersOf, sameBlock } from './ids.ts'
import { checkSignatures } from './signatures.ts'
import { mustBeOld, stateAfter, zerostateConfig } from './state.ts'
import { signingSetOf } from './validators.ts'

/* Links between masterchain blocks, as BlockProofLink::validate of crypto/block/check-proof.cpp checks them. */

type Members = Readonly<Record<string, unknown>>

/** The block at the end of a link, and its header; undefined for the zerostate. */
export interface Reached {
  readonly id: BlockId
  readonly header: Header | undefined
}

const configOf = (proof: unknown, from: BlockId, budget: Budget): Cell => {
  const root = proofRoot(proof, budget)
  if (from.seqno === 0) return zerostateConfig(root, from)
  const { isKey, block } = readHeader(root, from)
  must(isKey, 'the link begins at a block that is not a key block')
  return masterExtraOf(block).config ?? fail('a key block without configuration')
}

const targetOf = (link: Members, from: BlockId, budget: Budget): Reached => {
  must(sameBlock(masterBlockId(link['from']), from), () => `the link does not begin at ${blockText(from)}`)
  const id = masterBlockId(link['to'])
  if (id.seqno === 0) return { id, header: undefined }
  const header = within('dest_proof', () => readHeader(proofRoot(link['dest_proof'], budget), id))
  must(header.isKey === link['to_key_block'], 'to_key_block is wrong')
  return { id, header }
}

/** A link to an earlier block, which is among the old blocks in the state of the later one. */
const checkBack = (link: Members, from: BlockId, budget: Budget): Reached => {
  const reached = targetOf(link, from, budget)
  must(reached.id.seqno < from.seqno, 'a link back that does not go back')
  const header = within('proof', () => readHeader(proofRoot(link['proof'], budget), from))
  const state = within('state_proof', () => stateAfter(proofRoot(link['state_proof'], budget), header))
  mustBeOld(state, reached.id)
  return reached
}

/** A link to a later block, which the validators have signed that the configuration in the earlier one names. */
const checkForward = async (link: Members, from: BlockId, budget: Budget): Promise<Reached> => {
  const reached = targetOf(link, from, budget)
  const { id, header } = reached
  must(id.seqno > from.seqno && header !== undefined, 'a link forward that does not go forward')
  const config = within('config_proof', () => configOf(link['config_proof'], from, budget))
  const set = await signingSetOf(config, header.catchainSeqno)
  must(set.hash === header.validatorSet, 'the block is of another set of validators')
  await checkSignatures(link['signatures'], id, set).catch((error) => {
    throw placed('signatures', error)
  })
  return reached
}

const checkLink = async (link: Members, from: BlockId, budget: Budget): Promise<Reached> => {
  if (link['type'] === 'back') return checkBack(link, from, budget)
  must(link['type'] === 'forward', `unknown link ${String(link['type'])}`)
  return checkForward(link, from, budget)
}

/** Links of one answer. A lite-server adds no more. */
const MAX_LINKS = 16

const linksOf = (steps: unknown): readonly Members[] => {
  const links = itemsOf(steps)
  must(links.length <= MAX_LINKS, `${links.length} links, an answer has at most ${MAX_LINKS}`)
  return links.map(membersOf)
}

/**
 * Follows links from a trusted block, and calls back with each block that they reach. Returns the last one. Only the first link of a way may lead back, to the target
 * or to a key block; from there on each link leads to a later key block, so a way has no more links than the chain has key blocks.
 */
export const followLinks = async (
  steps: unknown,
  from: BlockId,
  mayGoBack: boolean,
  reach: (reached: Reached) => void,
): Promise<BlockId> => {
  const budget = { cells: MAX_PAGE }
  let at = from
  for (const [i, link] of linksOf(steps).entries())
    try {
      must(link['type'] !== 'back' || (mayGoBack && i === 0), 'a link back that is not the first one')
      const reached = await checkLink(link, at, budget)
      reach(reached)
      at = reached.id
    } catch (error) {
      throw placed(`[${i}]`, error)
    }
  return at
}

/** The same for links that all go back, which need no signatures. */
export const followBack = (steps: unknown, from: BlockId, budget: Budget): BlockId =>
  linksOf(steps).reduce<BlockId>(
    (at, link, i) =>
      within(`[${i}]`, () => {
        must(link['type'] === 'back', 'a link that does not go back')
        return checkBack(link, at, budget).id
      }),
    from,
  )
