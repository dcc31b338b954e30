import { type Header, masterExtraOf, readHeader } from './block.ts'
import { type Budget, MAX_PAGE, proofRoot } from './boc.ts'
import type { Cell } from './cell.ts'
import { fail, must, placed, within } from './error.ts'
import { type BlockId, blockText, itemsOf, type Members, masterBlockId, membersOf, sameBlock } from './ids.ts'
import { checkSignatures } from './signatures.ts'
import { mustBeOld, stateAfter, zerostateConfig } from './state.ts'
import { signingSetOf } from './validators.ts'

/* Links between masterchain blocks, as BlockProofLink::validate of crypto/block/check-proof.cpp checks them. */

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

/** Checks a link to a later block: the validators that the configuration of the earlier block names must have signed the later block. */
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

/** Maximum number of links that a lite-server puts into one answer. */
const MAX_LINKS = 16

const linksOf = (steps: unknown): readonly Members[] => {
  const links = itemsOf(steps)
  must(links.length <= MAX_LINKS, `${links.length} links, an answer has at most ${MAX_LINKS}`)
  return links.map(membersOf)
}

/**
 * Follows links from a trusted block, and passes each reached block to `reach`. Returns the last block. Only the first link may lead back, and only with
 * `mayGoBack`. All further links lead to later blocks, so that a proof cannot be endless.
 */
export const followLinks = async (
  steps: unknown,
  from: BlockId,
  mayGoBack: boolean,
  reach: (reached: Reached) => void,
): Promise<BlockId> => {
  const budget = { hashes: MAX_PAGE }
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

/** Follows links that all lead back. They need no signatures, because the state of each block contains the ids of the earlier blocks. */
export const followBack = (steps: unknown, from: BlockId, budget: Budget): BlockId =>
  linksOf(steps).reduce<BlockId>(
    (at, link, i) =>
      within(`[${i}]`, () => {
        must(link['type'] === 'back', 'a link that does not go back')
        return checkBack(link, at, budget).id
      }),
    from,
  )
