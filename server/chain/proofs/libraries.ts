import type { Cell } from '../../cell/cell.ts'
import { dictGet } from '../../cell/dict.ts'
import { hashToBig, sameBytes, toHex } from '../../tlb/bytes.ts'
import { type BlockId, blockFullText, sameBlock } from '../../tlb/ids.ts'
import { loadLibDescr } from '../../tlb/state/lib-descr.ts'
import type { LiteAnswer } from '../liteserver.ts'
import { must, provingSteps } from './error.ts'
import { answerRoots } from './roots.ts'
import { checkSeparateState } from './state.ts'

const WHAT = 'libraries'

export interface Library {
  readonly hash: Uint8Array
  readonly code: Cell
}

/**
 * Checks entries that were sent without a proof. Each entry must be requested, occur once, and be the cell with its hash. No proof is needed, because the
 * hash identifies a library.
 */
function* librarySteps(answer: LiteAnswer<'getLibraries'>, requested: readonly Uint8Array[]): Generator<void, readonly Library[]> {
  const missing = new Set(requested.map(toHex))
  const codes = yield* answerRoots(answer.result.map(({ data }) => data))
  return answer.result.map(({ hash }, i) => {
    must(missing.delete(toHex(hash)), WHAT, () => `${toHex(hash)} was not asked for`)
    const code = codes[i]!
    must(sameBytes(code.hash(), hash), WHAT, () => `${code.hashHex()} was sent as ${toHex(hash)}`)
    return { hash, code }
  })
}

/** Checks an answer of getLibrariesWithProof: it must contain exactly those requested libraries that are public in the block's state. */
export const checkLibrariesWithProof = (
  answer: LiteAnswer<'getLibrariesWithProof'>,
  block: BlockId,
  requested: readonly Uint8Array[],
): Generator<void, readonly Library[]> => provingSteps(WHAT, publicLibrarySteps(answer, block, requested))

function* publicLibrarySteps(
  answer: LiteAnswer<'getLibrariesWithProof'>,
  block: BlockId,
  requested: readonly Uint8Array[],
): Generator<void, readonly Library[]> {
  must(sameBlock(answer.id, block), WHAT, () => `an answer for ${blockFullText(answer.id)} instead of ${blockFullText(block)}`)
  const { state } = checkSeparateState(answer.stateProof, answer.dataProof, block, WHAT)
  const sent = yield* librarySteps(answer, requested)
  const inAnswer = new Set(sent.map(({ hash }) => toHex(hash)))
  for (const hash of requested) {
    const value = dictGet(state.libraries, 256, hashToBig(hash))
    const descr = value && loadLibDescr(value)
    must(
      (descr !== undefined) === inAnswer.has(toHex(hash)),
      WHAT,
      () => `${toHex(hash)} is ${descr ? '' : 'not '}public, unlike the answer`,
    )
    if (descr !== undefined) must(sameBytes(descr.lib.hash(0), hash), WHAT, () => `the public library ${toHex(hash)} is another cell`)
  }
  return sent
}
