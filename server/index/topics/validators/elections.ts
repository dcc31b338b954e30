import { serializeBoc } from '../../../cell/boc.ts'
import type { Cell } from '../../../cell/cell.ts'
import { dictEntries } from '../../../cell/dict.ts'
import { loadComplaint } from '../../../tlb/contracts/complaint.ts'
import { loadFrozenStake } from '../../../tlb/contracts/elector.ts'
import { bool, bytes, line } from '../../derive/rows/text.ts'
import { attempt } from '../contracts/read.ts'
import type { ExtensionContext } from '../topic.ts'
import { type VisibleComplaint, type VisibleElector, type VisiblePast, viewElector } from './elector-view.ts'
import { masterKey } from './events.ts'

/* Elections, their results and complaints, from the part of the elector's data that a block shows. */

export interface Snapshot {
  /** Key of the elector. */
  readonly elector: Buffer
  readonly mcSeqno: number
  /** The part of the data that the block shows. */
  readonly view: VisibleElector
  /** Requests the whole data. Used if something new may be behind a pruned branch. */
  readonly whole: () => Promise<Cell | undefined>
}

type Rows = Record<string, string[]>

/** Maximum entries that are read from a dictionary. */
const MOST = 20_000

const place = ({ elector }: Snapshot, electionId: number): string[] => [bytes(elector), String(electionId)]

const electionRows = async (snapshot: Snapshot, rows: Rows, context: Pick<ExtensionContext, 'rows'>): Promise<void> => {
  const { view, elector, mcSeqno } = snapshot
  const shown = view.elect
  if (shown === undefined) return
  const [before] = await context.rows<{ members: number; said: string }>(
    `select members, concat_ws(' ', elect_close, min_stake, total_stake, members, failed, finished) as said from validator_elections
     where elector = $1 and election_id = $2 order by mc_seqno desc limit 1`,
    [elector, shown.electAt],
  )
  // If the index began in the middle of this election, read the whole election once.
  const cell = before === undefined && shown.members !== undefined ? await snapshot.whole() : undefined
  const elect = (cell && viewElector(cell).elect) ?? shown
  const known = await context.rows<{ pubkey: Buffer; stake: string; max_factor: string; adnl: Buffer; holder: Buffer }>(
    `select distinct on (pubkey) pubkey, stake, max_factor, adnl, holder from validator_participants
     where elector = $1 and election_id = $2 and pubkey = any($3::bytea[]) order by pubkey, mc_seqno desc`,
    [elector, elect.electAt, elect.changed.map(([pubkey]) => pubkey)],
  )
  const last = new Map(known.map((row) => [row.pubkey.toString('hex'), row]))
  let members = before?.members ?? 0
  for (const [pubkey, member] of elect.changed) {
    const row = last.get(pubkey.toString('hex'))
    if (row === undefined) members += 1
    const isSame =
      row !== undefined &&
      row.stake === String(member.stake) &&
      row.max_factor === String(member.maxFactor) &&
      row.adnl.equals(member.adnlAddr) &&
      row.holder.equals(masterKey(member.addr))
    if (isSame) continue
    rows['validator_participants']!.push(
      line([
        ...place(snapshot, elect.electAt),
        bytes(pubkey),
        String(mcSeqno),
        String(member.stake),
        String(member.maxFactor),
        bytes(masterKey(member.addr)),
        bytes(member.adnlAddr),
      ]),
    )
  }
  const says = [elect.electClose, elect.minStake, elect.totalStake, members].map(String).concat(bool(elect.failed), bool(elect.finished))
  if (says.join(' ') === before?.said) return
  rows['validator_elections']!.push(line([...place(snapshot, elect.electAt), String(mcSeqno), ...says]))
}

const outcomeRows = (snapshot: Snapshot, past: VisiblePast, rows: Rows): void => {
  const { mcSeqno } = snapshot
  const at = place(snapshot, past.id)
  rows['validator_past_elections']!.push(line([...at, String(mcSeqno), bytes(past.vsetHash), String(past.totalStake)]))
  for (const [key, value] of dictEntries(past.frozen, 256, { limit: MOST })) {
    const frozen = loadFrozenStake(value)
    const pubkey = Buffer.from(key.toString(16).padStart(64, '0'), 'hex')
    rows['validator_stakes']!.push(
      line([...at, bytes(pubkey), String(mcSeqno), bytes(masterKey(frozen.addr)), String(frozen.weight), String(frozen.stake)]),
    )
  }
}

const complaintRow = (snapshot: Snapshot, electionId: number, complaint: VisibleComplaint): string | undefined => {
  const read = attempt(() => loadComplaint(complaint.complaint))
  return (
    read &&
    line([
      ...place(snapshot, electionId),
      bytes(complaint.hash),
      String(snapshot.mcSeqno),
      bytes(read.validatorPubkey),
      bytes(serializeBoc(read.description)),
      String(read.createdAt),
      String(read.severity),
      bytes(masterKey(read.rewardAddr)),
      String(read.paid),
      String(read.suggestedFine),
      String(read.suggestedFinePart),
    ])
  )
}

const voteRows = async (
  snapshot: Snapshot,
  electionId: number,
  { hash, vsetId, votes, weightRemaining }: VisibleComplaint,
  rows: Rows,
  context: Pick<ExtensionContext, 'rows'>,
): Promise<void> => {
  const { elector, mcSeqno } = snapshot
  const at = [...place(snapshot, electionId), bytes(hash)]
  const [before] = await context.rows<{ vset_id: Buffer; weight_remaining: string }>(
    `select vset_id, weight_remaining from validator_complaint_states
     where elector = $1 and election_id = $2 and hash = $3 order by mc_seqno desc limit 1`,
    [elector, electionId, hash],
  )
  if (before === undefined || !before.vset_id.equals(vsetId) || before.weight_remaining !== String(weightRemaining)) {
    rows['validator_complaint_states']!.push(line([...at, String(mcSeqno), bytes(vsetId), String(weightRemaining)]))
  }
  if (votes.length === 0) return
  const known = await context.rows<{ validator_index: number }>(
    `select validator_index from validator_complaint_votes
     where elector = $1 and election_id = $2 and hash = $3 and vset_id = $4 and validator_index = any($5::integer[])`,
    [elector, electionId, hash, Buffer.from(vsetId), votes],
  )
  const counted = new Set(known.map((row) => row.validator_index))
  for (const index of votes.filter((vote) => !counted.has(vote))) {
    rows['validator_complaint_votes']!.push(line([...at, bytes(vsetId), String(index), String(mcSeqno)]))
  }
}

const pastRows = async (snapshot: Snapshot, rows: Rows, context: Pick<ExtensionContext, 'rows'>): Promise<void> => {
  const { view, elector } = snapshot
  if (view.past.length === 0) return
  const ids = view.past.map(({ id }) => id)
  const known = new Set(
    (
      await context.rows<{ election_id: string }>(
        'select election_id from validator_past_elections where elector = $1 and election_id = any($2::bigint[])',
        [elector, ids],
      )
    ).map((row) => Number(row.election_id)),
  )
  const accused = view.past.flatMap(({ id, changed }) => changed.map(({ hash }) => ({ id, hash })))
  const nameOf = (id: number, hash: Buffer): string => `${id} ${hash.toString('hex')}`
  const filed =
    accused.length === 0
      ? []
      : await context.rows<{ election_id: string; hash: Buffer }>(
          'select election_id, hash from validator_complaints where elector = $1 and election_id = any($2::bigint[])',
          [elector, ids],
        )
  const complaints = new Set(filed.map((row) => nameOf(Number(row.election_id), row.hash)))
  const isNew = ({ id, changed }: VisiblePast): boolean => !known.has(id) || changed.some(({ hash }) => !complaints.has(nameOf(id, hash)))
  // The update can prune new parts if the old state already had the same cells elsewhere.
  const cell = view.past.some(isNew) ? await snapshot.whole() : undefined
  const whole = cell && new Map(viewElector(cell).past.map((past) => [past.id, past]))
  for (const shown of view.past) {
    const past = (isNew(shown) ? whole?.get(shown.id) : undefined) ?? shown
    if (!known.has(past.id)) outcomeRows(snapshot, past, rows)
    for (const complaint of past.changed) {
      if (!complaints.has(nameOf(past.id, complaint.hash))) {
        const row = complaintRow(snapshot, past.id, complaint)
        if (row === undefined) continue
        rows['validator_complaints']!.push(row)
      }
      await voteRows(snapshot, past.id, complaint, rows, context)
    }
  }
}

/** Rows from the part of the elector's data that a block shows. */
export const electorRows = async (
  snapshot: Snapshot,
  context: Pick<ExtensionContext, 'rows'>,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const rows: Rows = {
    validator_elections: [],
    validator_participants: [],
    validator_past_elections: [],
    validator_stakes: [],
    validator_complaints: [],
    validator_complaint_states: [],
    validator_complaint_votes: [],
  }
  await electionRows(snapshot, rows, context)
  await pastRows(snapshot, rows, context)
  return rows
}
