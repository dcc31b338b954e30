import type { Writer } from '../write/writer.ts'
import {
  type Checkpoint,
  clearIndex,
  compareVersions,
  derivationVersionsOf,
  readDerivation,
  TRANSIENT,
  unmarkTransient,
} from './checkpoint.ts'
import { openRangeStart } from './range-start.ts'
import type { SessionDeps } from './session.ts'
import { headOf, openMasterIds } from './source.ts'
import { openStart, type Start } from './start-state.ts'
import type { ShardTop } from './tops.ts'

/* Continues the stored index, or begins a new one. */

/** Thrown if indexing cannot continue until a person has changed something. */
export class IndexRefusal extends Error {
  override readonly name = 'IndexRefusal'
}

export const anotherChainText = (network: string): string =>
  `the database holds the index of another chain (${network}): give another DATABASE_URL, or empty it`

const startOf = async ({ source, reverts, isRange }: SessionDeps, from: number | 'head', signal: AbortSignal): Promise<[number, Start]> => {
  const first = from === 'head' ? Math.max(1, (await headOf(source, signal)).seqno) : from
  const idOf = await openMasterIds(source, reverts, signal)
  if (isRange && first > 1) return [first, (await openRangeStart(source, first, idOf, signal)).start]
  return [first, await openStart(source, await source.zeroState(signal), first, idOf, signal)]
}

/** Why an existing index must be made again; undefined if it can be continued. Throws IndexRefusal if a person has to decide. */
const reasonToReplace = async (
  { network, connection, topics, selection, from }: SessionDeps,
  found: Checkpoint,
  zeroHash: Buffer,
): Promise<string | undefined> => {
  const derivation = await readDerivation(connection)
  if (!found.zeroHash.equals(zeroHash)) {
    // Replaces the index of another chain only if that chain has ended with its process: nobody can continue such an index.
    if (found.network !== network || !derivation.isTransient) throw new IndexRefusal(anotherChainText(found.network))
    return 'of another chain'
  }
  if (from !== 'head' && from < found.firstSeqno) {
    throw new IndexRefusal(`the index begins with block ${found.firstSeqno}: to begin with ${from} give another DATABASE_URL, or empty it`)
  }
  const versions = compareVersions(derivation, derivationVersionsOf(topics, selection))
  // Without this refusal, two releases would discard each other's index during a rolling update.
  if (versions === 'newer') throw new IndexRefusal('the index was made by a newer release of tonway')
  return versions === 'same' ? undefined : 'made with other settings, or by another release'
}

export interface Opened {
  readonly at: Checkpoint
  /** Newest blocks of all shards before the first block; empty if the index has blocks. */
  readonly tops: readonly ShardTop[]
}

/** Continues the stored index, or begins a new one, which replaces one that cannot be continued. */
export const openCheckpoint = async (deps: SessionDeps, writer: Writer, signal: AbortSignal): Promise<Opened> => {
  const { source, network, connection, topics, selection, log } = deps
  const zeroHash = Buffer.from((await source.zeroState(signal)).rootHash)
  const found = await writer.checkpoint()
  let { from } = deps
  if (found !== undefined) {
    const reason = await reasonToReplace(deps, found, zeroHash)
    if (reason === undefined) {
      if (!deps.isTransient) await unmarkTransient(connection)
      if (found.seqno >= found.firstSeqno) return { at: found, tops: [] }
      const [, { tops = [] }] = await startOf(deps, found.firstSeqno, signal)
      return { at: found, tops }
    }
    log.warn('index.replaced', { network, reason })
    if (found.zeroHash.equals(zeroHash)) from = from === 'head' ? found.oldestSeqno : found.firstSeqno
  }
  const [firstSeqno, start] = await startOf(deps, from, signal)
  if (start.tops === undefined && selection.wants(0)) {
    throw new IndexRefusal(`the source has no block ${firstSeqno - 1}, so it is not known which shard blocks are the first ones`)
  }
  if (found !== undefined) await clearIndex(connection, topics)
  const { seqno, rootHash, fileHash } = start.id
  const at: Checkpoint = {
    network,
    zeroHash,
    firstSeqno,
    oldestSeqno: firstSeqno,
    seqno,
    rootHash: Buffer.from(rootHash),
    fileHash: Buffer.from(fileHash),
  }
  const versions = derivationVersionsOf(topics, selection)
  await writer.begin(at, deps.isTransient ? [...versions, TRANSIENT] : versions, start.portions(selection), signal)
  return { at, tops: start.tops ?? [] }
}
