import { inOwnTurn } from '../../../base/yield.ts'
import { MAX_CHECKED_CELLS } from '../../../cell/budget.ts'
import { type Cell, untracked } from '../../../cell/cell.ts'
import { dictEntries, dictGet } from '../../../cell/dict.ts'
import { hashToBig, sameBytes, toHex } from '../../../tlb/bytes.ts'
import { loadLibDescr } from '../../../tlb/state/lib-descr.ts'
import { MAX_LIBRARIES } from '../../libraries.ts'
import type { LiteAnswer } from '../../liteserver.ts'
import { type Answers, type AnswersDeps, masterBlockAndState, stateOf } from './find-or-refuse.ts'
import { boc, bocInTurns, NO_BYTES, prove, proveHeader } from './prove.ts'
import { readState } from './read-with-references.ts'

const MAX_PUBLISHERS = 16
const WITH_PUBLISHERS = 1
const WITHOUT_DATA = 2

interface Found {
  readonly hash: Uint8Array
  readonly lib: Cell
}

const requestedHashes = (hashes: readonly Uint8Array[]): readonly Uint8Array[] => {
  const byHex = new Map(hashes.slice(0, MAX_LIBRARIES).map((hash) => [toHex(hash), hash]))
  return [...byHex].sort(([a], [z]) => (a < z ? -1 : 1)).map(([, hash]) => hash)
}

const find = (state: Cell, hashes: readonly Uint8Array[], withPublishers: boolean): readonly Found[] => {
  const { libraries } = readState(state)
  return hashes.flatMap((hash) => {
    const value = dictGet(libraries, 256, hashToBig(hash))
    if (value === undefined) return []
    const { lib, publishers } = loadLibDescr(value)
    if (withPublishers) {
      const entries = dictEntries(publishers, 256, { cells: MAX_CHECKED_CELLS })
      for (let i = 0; i < MAX_PUBLISHERS && !entries.next().done; i += 1);
    }
    return sameBytes(lib.hash(), hash) ? [{ hash, lib: untracked(lib) }] : []
  })
}

const write = async (found: readonly Found[], signal: AbortSignal): Promise<LiteAnswer<'getLibraries'>['result']> => {
  const result: { hash: Uint8Array; data: Uint8Array }[] = []
  for (const { hash, lib } of found) result.push({ hash, data: await bocInTurns(lib, signal) })
  return result
}

export const libraryAnswers = ({ store }: AnswersDeps): Answers<'getLibraries' | 'getLibrariesWithProof'> => ({
  async getLibraries({ hashes }, signal) {
    const state = await stateOf(store, store.head().id)
    return { result: await write(await inOwnTurn(() => find(state, requestedHashes(hashes), false)), signal) }
  },

  async getLibrariesWithProof({ id, mode, hashes }, signal) {
    const { block, state } = await masterBlockAndState(store, id)
    const { proofs, found } = await inOwnTurn(() => {
      const { proof, value } = prove(state, (root) => find(root, requestedHashes(hashes), (mode & WITH_PUBLISHERS) !== 0))
      return { found: value, proofs: { stateProof: boc(proveHeader(block.root)), dataProof: boc(proof) } }
    })
    const result = mode & WITHOUT_DATA ? found.map(({ hash }) => ({ hash, data: NO_BYTES })) : await write(found, signal)
    return { id, mode, result, ...proofs }
  },
})
