import { augGet, loadAugE } from '../../../cell/aug.ts'
import type { Budget } from '../../../cell/budget.ts'
import { type Cell, CellError } from '../../../cell/cell.ts'
import type { SourceBlock } from '../../../chain/blocks.ts'
import { loadStateUpdate } from '../../../tlb/block/block.ts'
import { type ComplaintStatus, loadComplaintStatus } from '../../../tlb/contracts/complaint.ts'
import {
  type Elect,
  type ElectionMember,
  loadElect,
  loadElectionMember,
  loadElectorData,
  loadPastElection,
  type PastElection,
} from '../../../tlb/contracts/elector.ts'
import { loadAccount } from '../../../tlb/state/account.ts'
import { loadShardAccount, shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import { accountsOfState } from '../../../tlb/state/shard-state.ts'
import { unprunedEntries } from '../../derive/unpruned-entries.ts'

/*
 * The visible part of the elector's data: everything in a complete state, the changed parts in a state update. On a large network the data has megabytes
 * and changes with the fees of every block, so only the visible part is read.
 */

export interface VisibleElector {
  /** The current election with its changed participants; undefined if there is none, or if it did not change. */
  readonly elect: (Elect & { readonly changed: readonly (readonly [pubkey: Buffer, member: ElectionMember])[] }) | undefined
  readonly past: readonly VisiblePast[]
}

export interface VisiblePast extends PastElection {
  readonly id: number
  readonly changed: readonly VisibleComplaint[]
}

export interface VisibleComplaint extends ComplaintStatus {
  readonly hash: Buffer
  /** Validator indexes of the changed votes. */
  readonly votes: readonly number[]
}

/** Maximum number of dictionary edges that one reading of the elector's data visits, in one turn. A network has at most a thousand validators. */
const MAX_CELLS = 16_000

const entries = <T>(
  root: Cell | undefined,
  n: number,
  budget: Budget,
  load: (s: Parameters<typeof loadElectionMember>[0]) => T,
): [Buffer, T][] => [...unprunedEntries(root, n, budget)].map(([key, s]) => [key, load(s)])

const complaintsOf = (root: Cell | undefined, budget: Budget): VisibleComplaint[] =>
  entries(root, 256, budget, loadComplaintStatus).map(([hash, status]) => ({
    ...status,
    hash,
    votes: [...unprunedEntries(status.voters, 16, budget)].map(([index]) => index.readUInt16BE(0)),
  }))

/** Reads the elector's data, complete or from a state update. Throws CellError if the cell has another format. */
export const viewElector = (cell: Cell): VisibleElector => {
  const { elect: electCell, pastElections } = loadElectorData(cell)
  const budget = { cells: MAX_CELLS }
  const elect = electCell === undefined || electCell.type === 'pruned' ? undefined : loadElect(electCell)
  return {
    elect: elect && { ...elect, changed: entries(elect.members, 256, budget, loadElectionMember) },
    past: entries(pastElections, 32, budget, loadPastElection).map(([key, past]) => ({
      ...past,
      id: key.readUInt32BE(0),
      changed: complaintsOf(past.complaints, budget),
    })),
  }
}

/** The data of a masterchain account in a block's state update; undefined if the block did not change the data. */
export const shownData = ({ parts }: SourceBlock, account: Uint8Array): Cell | undefined => {
  try {
    const accounts = accountsOfState(loadStateUpdate(parts.stateUpdate).new)
    const key = BigInt(`0x${Buffer.from(account).toString('hex')}`)
    const found = augGet(shardAccountsAug, loadAugE(accounts.slice(), shardAccountsAug), key)
    const state = found && loadAccount(loadShardAccount(found.value).accountCell)?.state
    const data = state?.type === 'active' ? state.init.data : undefined
    return data?.type === 'pruned' ? undefined : data
  } catch (error) {
    if (error instanceof CellError && error.kind === 'pruned') return undefined
    throw error
  }
}
