import type { Keep } from '../../config/index-keep.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { blocks } from '../../store/schema/blocks.ts'
import { HEAD_CHANNEL, indexCheckpoint } from '../../store/schema/head.ts'
import { select } from '../../store/schema/select.ts'
import { PUBLISHED, writeAlone } from '../follow/checkpoint.ts'
import { update } from '../write/statements.ts'

/*
 * Moves the cut: the first masterchain block whose history is stored. The cut only moves forward. Readers see the new cut before anything below it is
 * removed.
 */

type Query = Pick<Connection, 'query'>['query']

const SINCE = select(blocks, ['mc_seqno'], 'where gen_utime >= $1 and workchain = -1 order by gen_utime, mc_seqno limit 1')

/** Returns the first masterchain block that must stay according to the setting, at most the published head; undefined without an index. */
const requiredCut = async (query: Query, keep: Keep): Promise<number | undefined> => {
  const [head] = await query(PUBLISHED)
  if (head === undefined) return undefined
  if ('blocks' in keep) return head.mc_seqno - keep.blocks + 1
  const [first] = await query(SINCE, [Number(head.utime) - keep.seconds])
  return Math.min(first?.mc_seqno ?? 0, head.mc_seqno)
}

/**
 * Moves the first stored masterchain block (the cut) forward as the setting requires, and returns it; undefined while no history is removed. A revert locks
 * the same row of the database, so the cut never gets above the head.
 */
export const moveCut = ({ query, script }: Pick<Connection, 'query' | 'script'>, keep: Keep): Promise<number | undefined> =>
  writeAlone({ query }, async (at) => {
    const cut = at && (await requiredCut(query, keep))
    if (at === undefined || cut === undefined) return undefined
    if (cut <= at.oldestSeqno) return at.oldestSeqno > at.firstSeqno ? at.oldestSeqno : undefined
    await script(`${update(indexCheckpoint, { kept_mc_seqno: cut }, { id: 1 })}; notify ${HEAD_CHANNEL}`)
    return cut
  })
