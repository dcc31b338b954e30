import type { Keep } from '../../config/index-keep.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { blocks } from '../../store/schema/blocks.ts'
import { indexCheckpoint } from '../../store/schema/head.ts'
import { select } from '../../store/schema/select.ts'
import { PUBLISHED, writeAlone } from '../follow/checkpoint.ts'
import { update } from '../write/statements.ts'

/* The cut: the first masterchain block whose history is kept. It only moves forward, and readers see it before anything below it leaves. */

type Query = Pick<Connection, 'query'>['query']

const SINCE = select(blocks, ['mc_seqno'], 'where gen_utime >= $1 and workchain = -1 order by gen_utime, mc_seqno limit 1')

/** The block at which the cut should be by the setting; undefined while there is no index. At most the published head. */
const wantedCut = async (query: Query, keep: Keep): Promise<number | undefined> => {
  const [head] = await query(PUBLISHED)
  if (head === undefined) return undefined
  if ('blocks' in keep) return head.mc_seqno - keep.blocks + 1
  const [first] = await query(SINCE, [Number(head.utime) - keep.seconds])
  return Math.min(first?.mc_seqno ?? 0, head.mc_seqno)
}

/**
 * Moves the cut to where it should be by the setting, if it is below. Returns where it is; undefined while nothing has left. A revert comes either before,
 * and its head decides, or after, and finds the cut: the cut never passes the head.
 */
export const moveCut = ({ query, script }: Pick<Connection, 'query' | 'script'>, keep: Keep): Promise<number | undefined> =>
  writeAlone({ query }, async (at) => {
    const wanted = at && (await wantedCut(query, keep))
    if (at === undefined || wanted === undefined) return undefined
    if (wanted <= at.keptSeqno) return at.keptSeqno > at.firstSeqno ? at.keptSeqno : undefined
    await script(update(indexCheckpoint, { kept_mc_seqno: wanted }, { id: 1 }))
    return wanted
  })
