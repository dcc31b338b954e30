import { isDeepStrictEqual } from 'node:util'
import { mapWithPauses } from '../../../base/yield.ts'
import { serializeBoc } from '../../../cell/boc.ts'
import { type Budget, countAtMost } from '../../../cell/budget.ts'
import { dictEntries } from '../../../cell/dict.ts'
import { attempt, CellError } from '../../../cell/error.ts'
import { rowsOf, type TableRows } from '../../../store/rows/copy-rows.ts'
import { validatorComplaintStates, validatorComplaints, validatorComplaintVotes } from '../../../store/schema/complaints.ts'
import { select } from '../../../store/schema/select.ts'
import { asRead, type ReadRow, type Table, type WriteRow } from '../../../store/schema/table.ts'
import { validatorElections, validatorParticipants, validatorPastElections, validatorStakes } from '../../../store/schema/validators.ts'
import { loadComplaint } from '../../../tlb/contracts/complaint.ts'
import { loadFrozenStake } from '../../../tlb/contracts/elector.ts'
import type { TopicContext } from '../topic.ts'
import type { VisibleComplaint, VisibleElector, VisiblePast } from './elector-view.ts'
import { masterKey } from './events.ts'

/* Elections, their results and complaints, from the part of the elector's data that a block's state update shows. */

export interface Snapshot {
  readonly elector: Buffer
  readonly mcSeqno: number
  /** The part of the elector's data that the block shows. */
  readonly view: VisibleElector
  /** Requests the complete data. Called if something new may be behind a pruned branch. Resolves with undefined if it cannot be had or read. */
  readonly whole: () => Promise<VisibleElector | undefined>
}

type Context = Pick<TopicContext, 'rows' | 'leaveOut'>

/** Rows by table. */
const collectRows = () => {
  const byTable = new Map<Table, WriteRow<Table>[]>()
  return {
    add<T extends Table>(table: T, row: WriteRow<T>): void {
      const rows = byTable.get(table) ?? []
      rows.push(row as WriteRow<Table>)
      byTable.set(table, rows)
    },
    tables: (): readonly TableRows[] => [...byTable].map(([table, rows]) => rowsOf(table, rows)),
  }
}
type Rows = ReturnType<typeof collectRows>

/** Maximum number of entries that are read from a dictionary. */
const MAX_ENTRIES = 20_000

const place = ({ elector, mcSeqno }: Snapshot, electionId: number) => ({ elector, election_id: electionId, mc_seqno: mcSeqno })

const ELECTION = select(
  validatorElections,
  ['members', 'elect_close', 'min_stake', 'total_stake', 'failed', 'finished'],
  'where elector = $1 and election_id = $2 order by mc_seqno desc limit 1',
)
const PARTICIPANTS = select(
  validatorParticipants,
  ['pubkey', 'stake', 'max_factor', 'adnl', 'holder'],
  'where elector = $1 and election_id = $2 and pubkey = any($3::bytea[]) order by pubkey, mc_seqno desc',
  'pubkey',
)
const COMPLAINT_STATE = select(
  validatorComplaintStates,
  ['vset_id', 'weight_remaining'],
  'where elector = $1 and election_id = $2 and hash = $3 order by mc_seqno desc limit 1',
)
const VOTES = select(
  validatorComplaintVotes,
  ['validator_index'],
  'where elector = $1 and election_id = $2 and hash = $3 and vset_id = $4 and validator_index = any($5::integer[])',
)
const PAST_ELECTIONS = select(validatorPastElections, ['election_id'], 'where elector = $1 and election_id = any($2::bigint[])')
const COMPLAINTS = select(validatorComplaints, ['election_id', 'hash'], 'where elector = $1 and election_id = any($2::bigint[])')

/** Returns whether a stored row has the same values. `stored`: the columns to compare; undefined if there is no row. */
const isStored = <T extends Table>(table: T, row: WriteRow<T>, stored: Partial<ReadRow<T>> | undefined): boolean => {
  const values = asRead(table, row) as Readonly<Record<string, unknown>>
  return stored !== undefined && Object.entries(stored).every(([name, value]) => isDeepStrictEqual(values[name], value))
}

const electionRows = async (snapshot: Snapshot, rows: Rows, context: Context): Promise<void> => {
  const { view, elector } = snapshot
  const shown = view.elect
  if (shown === undefined) return
  const [before] = await context.rows(ELECTION, [elector, shown.electAt])
  // If the index began in the middle of this election, the complete election is read once.
  const whole = before === undefined && shown.members !== undefined ? await snapshot.whole() : undefined
  const elect = whole?.elect ?? shown
  const storedRows = await context.rows(PARTICIPANTS, [elector, elect.electAt, elect.changed.map(([pubkey]) => pubkey)])
  const last = new Map(storedRows.map((row) => [row.pubkey.toString('hex'), row]))
  let members = before?.members ?? 0
  await mapWithPauses(elect.changed, ([pubkey, member]) => {
    const before = last.get(pubkey.toString('hex'))
    if (before === undefined) members += 1
    const row = {
      ...place(snapshot, elect.electAt),
      pubkey,
      stake: member.stake,
      max_factor: member.maxFactor,
      holder: masterKey(member.addr),
      adnl: member.adnlAddr,
    }
    if (!isStored(validatorParticipants, row, before)) rows.add(validatorParticipants, row)
  })
  const { electClose, minStake, totalStake, failed, finished } = elect
  const row = {
    ...place(snapshot, elect.electAt),
    elect_close: electClose,
    min_stake: minStake,
    total_stake: totalStake,
    members,
    failed,
    finished,
  }
  if (!isStored(validatorElections, row, before)) rows.add(validatorElections, row)
}

/** Adds the rows of a past election, without its stakes if they cannot be read. `budget`: shared by the stakes of all elections of a block. */
const outcomeRows = async (snapshot: Snapshot, past: VisiblePast, rows: Rows, budget: Budget, context: Context): Promise<void> => {
  const at = place(snapshot, past.id)
  rows.add(validatorPastElections, { ...at, set_hash: past.vsetHash, total_stake: past.totalStake })
  try {
    const stakes = await mapWithPauses(dictEntries(past.frozen, 256, budget), ([key, value]) => {
      const frozen = loadFrozenStake(value)
      const pubkey = Buffer.from(key.toString(16).padStart(64, '0'), 'hex')
      return { ...at, pubkey, holder: masterKey(frozen.addr), weight: frozen.weight, stake: frozen.stake }
    })
    for (const stake of stakes) rows.add(validatorStakes, stake)
  } catch (error) {
    // A later block may show what is pruned in this one.
    if (!(error instanceof CellError) || error.kind === 'pruned') throw error
    context.leaveOut()
  }
}

/** The elector refuses a complaint of more cells (register_complaint of elector-code.fc). Another elector may not. */
const MAX_COMPLAINT_CELLS = 4_096
/** Maximum number of cells of all descriptions of a block. Thousands of complaints can share one. */
const MAX_DESCRIBED_CELLS = 32 * MAX_COMPLAINT_CELLS
const NO_BOC = Buffer.alloc(0)

const complaintRow = (
  snapshot: Snapshot,
  electionId: number,
  complaint: VisibleComplaint,
  budget: Budget,
): WriteRow<typeof validatorComplaints> | undefined => {
  const read = attempt(() => loadComplaint(complaint.complaint))
  if (read === undefined) return undefined
  const most = Math.min(MAX_COMPLAINT_CELLS, budget.cells)
  const count = countAtMost([read.description], most)
  budget.cells -= Math.min(count, most)
  return {
    ...place(snapshot, electionId),
    hash: complaint.hash,
    pubkey: read.validatorPubkey,
    description: count <= most ? serializeBoc(read.description) : NO_BOC,
    created_at: read.createdAt,
    severity: read.severity,
    reward: masterKey(read.rewardAddr),
    paid: read.paid,
    fine: read.suggestedFine,
    fine_part: read.suggestedFinePart,
  }
}

const voteRows = async (
  snapshot: Snapshot,
  electionId: number,
  { hash, vsetId, votes, weightRemaining }: VisibleComplaint,
  rows: Rows,
  context: Context,
): Promise<void> => {
  const { elector } = snapshot
  const at = { ...place(snapshot, electionId), hash, vset_id: vsetId }
  const [before] = await context.rows(COMPLAINT_STATE, [elector, electionId, hash])
  const row = { ...at, weight_remaining: weightRemaining }
  if (!isStored(validatorComplaintStates, row, before)) rows.add(validatorComplaintStates, row)
  if (votes.length === 0) return
  const storedRows = await context.rows(VOTES, [elector, electionId, hash, Buffer.from(vsetId), votes])
  const counted = new Set(storedRows.map((row) => row.validator_index))
  for (const index of votes.filter((vote) => !counted.has(vote))) {
    rows.add(validatorComplaintVotes, { ...at, validator_index: index })
  }
}

const pastRows = async (snapshot: Snapshot, rows: Rows, context: Context): Promise<void> => {
  const { view, elector } = snapshot
  if (view.past.length === 0) return
  const ids = view.past.map(({ id }) => id)
  const storedElections = new Set((await context.rows(PAST_ELECTIONS, [elector, ids])).map((row) => Number(row.election_id)))
  const accused = view.past.flatMap(({ id, changed }) => changed.map(({ hash }) => ({ id, hash })))
  const nameOf = (id: number, hash: Buffer): string => `${id} ${hash.toString('hex')}`
  const filed = accused.length === 0 ? [] : await context.rows(COMPLAINTS, [elector, ids])
  const complaints = new Set(filed.map((row) => nameOf(Number(row.election_id), row.hash)))
  const isNew = ({ id, changed }: VisiblePast): boolean =>
    !storedElections.has(id) || changed.some(({ hash }) => !complaints.has(nameOf(id, hash)))
  // A state update prunes new parts too if the old state has the same cells elsewhere.
  const complete = view.past.some(isNew) ? await snapshot.whole() : undefined
  const whole = new Map(complete?.past.map((past) => [past.id, past]))
  const [stakes, descriptions] = [{ cells: 2 * MAX_ENTRIES }, { cells: MAX_DESCRIBED_CELLS }]
  for (const shown of view.past) {
    const past = (isNew(shown) ? whole.get(shown.id) : undefined) ?? shown
    if (!storedElections.has(past.id)) await outcomeRows(snapshot, past, rows, stakes, context)
    for (const complaint of past.changed) {
      if (!complaints.has(nameOf(past.id, complaint.hash))) {
        const row = complaintRow(snapshot, past.id, complaint, descriptions)
        if (row === undefined) continue
        rows.add(validatorComplaints, row)
      }
      await voteRows(snapshot, past.id, complaint, rows, context)
    }
  }
}

export const electorRows = async (snapshot: Snapshot, context: Context): Promise<readonly TableRows[]> => {
  const rows = collectRows()
  await electionRows(snapshot, rows, context)
  await pastRows(snapshot, rows, context)
  return rows.tables()
}
