import type { RowReader } from '../../store/postgres/row-reader.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { type Checkpoint, readCheckpoint } from '../follow/checkpoint.ts'
import { GROUP } from '../follow/groups.ts'
import type { Comparison } from './compare.ts'

/* Where the index says that it is: the block that it goes on from, and the one that readers are shown as the newest. */

/** What is stored of it. */
export interface StoredPlace {
  readonly at: Checkpoint
  readonly published: Readonly<Record<string, string>> | undefined
}

/** The last block that was looked at, of the chain. */
export interface LastBlock {
  readonly id: BlockId
  readonly utime: number
}

/** Undefined where nothing is indexed. */
export const readPlace = async (reader: Pick<RowReader, 'query'>): Promise<StoredPlace | undefined> => {
  const at = await readCheckpoint(reader)
  if (at === undefined) return undefined
  const [published] = await reader.query<Record<string, string>>(
    'select mc_seqno::text as mc_seqno, utime::text as utime from published_head where id = 1',
  )
  return { at, published }
}

/**
 * The last block to look at: that of the checkpoint. Where the chain has none of that seqno, and the index has no rows of it either, it is the last
 * one of the rows.
 */
export const lastSeqno = async (
  { seqno, firstSeqno }: Checkpoint,
  reader: Pick<RowReader, 'query'>,
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
  /** The last one. */
  readonly end: LastBlock
  /** The one that is published, where the chain has it. */
  readonly shown: LastBlock | undefined
}

/**
 * Compares it with the chain's last block, and with the name of the network where that is known. Readers may be shown an earlier block, a group
 * back at most: a process that is killed after it has written a group has not published it yet, and the next start does.
 */
export const comparePlace = (
  { row }: Pick<Comparison, 'row'>,
  { at, published }: StoredPlace,
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
