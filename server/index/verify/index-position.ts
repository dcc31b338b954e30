import type { Connection } from '../../store/postgres/connection.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { type Checkpoint, PUBLISHED, readCheckpoint } from '../follow/checkpoint.ts'
import { GROUP } from '../follow/groups.ts'
import type { Comparison } from './compare.ts'

export interface StoredPosition {
  readonly at: Checkpoint
  readonly published: Readonly<Record<string, string>> | undefined
}

export interface LastBlock {
  readonly id: BlockId
  readonly utime: number
}

export const readPosition = async (reader: Pick<Connection, 'query'>): Promise<StoredPosition | undefined> => {
  const at = await readCheckpoint(reader)
  if (at === undefined) return undefined
  const [published] = await reader.query(PUBLISHED)
  return { at, published: published && { mc_seqno: String(published.mc_seqno), utime: published.utime } }
}

/**
 * Returns the seqno of the last block to verify: of the checkpoint, or of the last block with rows if neither the chain nor the index has the checkpoint's
 * block. Throws if the chain lacks an indexed block.
 */
export const lastSeqno = async (
  { seqno, firstSeqno }: Checkpoint,
  reader: Pick<Connection, 'query'>,
  idOf: (seqno: number) => Promise<BlockId | undefined>,
): Promise<number> => {
  if (seqno < firstSeqno || (await idOf(seqno)) !== undefined) return seqno
  const [row] = await reader.query<{ last: number | null }>('select max(seqno) as last from blocks where workchain = -1')
  const last = row?.last ?? firstSeqno - 1
  if (last < seqno && (last < firstSeqno || (await idOf(last)) !== undefined)) return last
  throw new Error(`the chain has no masterchain block ${last}, which is indexed`)
}

const hex = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`

export interface Blocks {
  readonly end: LastBlock
  readonly shown: LastBlock | undefined
}

/**
 * Compares the stored position with the last verified block, and the stored network name with `network`. The published block may be one group of blocks
 * earlier: a process can be killed between the commit of a group and its publication, and the next start publishes the group.
 */
export const comparePlace = (
  { row }: Pick<Comparison, 'row'>,
  { at, published }: StoredPosition,
  { end, shown }: Blocks,
  network: string = at.network,
): void => {
  const of = ({ seqno, rootHash, fileHash }: Pick<BlockId, 'seqno' | 'rootHash' | 'fileHash'>) => ({
    mc_seqno: String(seqno),
    root_hash: hex(rootHash),
    file_hash: hex(fileHash),
  })
  row('index_checkpoint', '1', { ...of(at), network: at.network }, { ...of(end.id), network })
  const { id, utime } = shown !== undefined && end.id.seqno - shown.id.seqno <= GROUP.masters ? shown : end
  row('published_head', '1', published, { mc_seqno: String(id.seqno), utime: String(utime) })
}
