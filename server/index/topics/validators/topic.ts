import { type Cell, CellError } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import { rowsOf, type TableRows } from '../../../store/rows/copy-rows.ts'
import { validatorComplaintStates, validatorComplaints, validatorComplaintVotes } from '../../../store/schema/complaints.ts'
import { validatorCycleMembers, validatorCycles } from '../../../store/schema/validator-cycles.ts'
import {
  validatorElections,
  validatorEvents,
  validatorParticipants,
  validatorPastElections,
  validatorStakes,
} from '../../../store/schema/validators.ts'
import { loadMcBlockExtra } from '../../../tlb/block/mc-block-extra.ts'
import { MASTERCHAIN } from '../../../tlb/ids.ts'
import type { BlockView, Topic, TopicContext } from '../topic.ts'
import { configAddress, configOfRoot } from '../topic-context.ts'
import { cycleRows } from './cycles.ts'
import { electorRows, type Snapshot } from './elections.ts'
import { shownData, type VisibleElector, viewElector } from './elector-view.ts'
import { masterKey, stakeEvents } from './events.ts'

const ELECTOR_PARAM = 1

/**
 * Returns whether the view has no blocks. It is then the state before the index's first block, where everything is new, or the state after a revert, where
 * nothing is new.
 */
const isState = ({ blocks }: BlockView): boolean => blocks.length === 0

const wholeData = async (elector: Buffer, context: TopicContext): Promise<Cell | undefined> => {
  const [view] = await context.accounts([elector])
  const [state] = view === undefined ? [] : await context.states([view])
  return state?.data
}

/** Returns whether no validator set is stored, because the source did not have the state before the index's first block. */
const knowsNone = async (context: TopicContext): Promise<boolean> =>
  (await context.rows('select from validator_cycles limit 1')).length === 0

/** Rows of new validator sets, from key blocks and from the configuration at the start of the index. */
const cyclesOf = async (block: BlockView, context: TopicContext): Promise<readonly TableRows[]> => {
  if (isState(block) || (await knowsNone(context))) return await cycleRows((number) => context.configParam(number), block.mcSeqno, context)
  const master = block.blocks.at(-1)
  if (master?.id.workchain !== MASTERCHAIN || !master.info.keyBlock || master.extra.custom === undefined) return []
  const { config } = loadMcBlockExtra(master.extra.custom)
  return config ? await cycleRows(configOfRoot(config.config).param, block.mcSeqno, context) : []
}

const snapshotOf = async (block: BlockView, elector: Uint8Array, context: TopicContext): Promise<Snapshot | undefined> => {
  const key = masterKey(elector)
  const master = block.blocks.at(-1)
  const viewOf = (data: Cell | undefined): VisibleElector | undefined => data && attempt(() => viewElector(data))
  const whole = async (): Promise<VisibleElector | undefined> => viewOf(await wholeData(key, context))
  const view = master === undefined ? await whole() : viewOf(shownData(master, elector))
  return view && { elector: key, mcSeqno: block.mcSeqno, view, whole }
}

export const validatorsTopic: Topic = {
  name: 'validators',
  version: 1,
  tables: [
    validatorEvents,
    validatorElections,
    validatorParticipants,
    validatorPastElections,
    validatorStakes,
    validatorComplaints,
    validatorComplaintStates,
    validatorComplaintVotes,
    validatorCycles,
    validatorCycleMembers,
  ],
  async derive(block, context) {
    const cycles = await cyclesOf(block, context)
    const elector = await configAddress(context, ELECTOR_PARAM)
    if (elector === undefined) return cycles
    const key = masterKey(elector)
    if (isState(block) && !block.accounts.some((account) => account.key.equals(key))) return cycles
    const snapshot = await snapshotOf(block, elector, context)
    const tables = [...cycles, rowsOf(validatorEvents, stakeEvents(block, key))]
    try {
      return snapshot === undefined ? tables : [...tables, ...(await electorRows(snapshot, context))]
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      return tables
    }
  },
}
