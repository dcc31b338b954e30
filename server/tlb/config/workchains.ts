import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { CellError } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag, expectTag } from '../common.ts'
import { bool, bytes32, type Field, loadToEnd, type RecordOf, record, tagged, u8, u32 } from '../record-layout.ts'

/*
 * wfmt_basic#1 vm_version:int32 vm_mode:uint64 = WorkchainFormat 1;
 * wfmt_ext#0 min_addr_len:(## 12) max_addr_len:(## 12) addr_len_step:(## 12) workchain_type_id:(## 32) = WorkchainFormat 0;
 * wc_split_merge_timings#0 split_merge_delay:uint32 split_merge_interval:uint32
 *   min_split_merge_interval:uint32 max_split_merge_delay:uint32 = WcSplitMergeTimings;
 * workchain#a6 enabled_since:uint32 monitor_min_split:(## 8) min_split:(## 8) max_split:(## 8) basic:(## 1) active:Bool
 *   accept_msgs:Bool flags:(## 13) { flags = 0 } zerostate_root_hash:bits256 zerostate_file_hash:bits256
 *   version:uint32 format:(WorkchainFormat basic) = WorkchainDescr;
 * workchain_v2#a7 ... split_merge_timings:WcSplitMergeTimings persistent_state_split_depth:(## 8) = WorkchainDescr;
 * _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12;
 */

export type WorkchainFormat =
  | { readonly type: 'basic'; readonly vmVersion: number; readonly vmMode: bigint }
  | {
      readonly type: 'ext'
      readonly minAddrLen: number
      readonly maxAddrLen: number
      readonly addrLenStep: number
      readonly workchainTypeId: number
    }

const split = { enabledSince: u32, monitorMinSplit: u8, minSplit: u8, maxSplit: u8 }
const switches = { active: bool, acceptMsgs: bool }
const zerostate = { zerostateRootHash: bytes32, zerostateFileHash: bytes32, version: u32 }
const timings = { splitMergeDelay: u32, splitMergeInterval: u32, minSplitMergeInterval: u32, maxSplitMergeDelay: u32 }
const [splitFields, switchFields, zerostateFields] = [record(split), record(switches), record(zerostate)]
const timingFields = tagged(4, 0, 'WcSplitMergeTimings', record(timings))

export type WorkchainDescr = RecordOf<typeof split> &
  RecordOf<typeof switches> &
  RecordOf<typeof zerostate> & {
    readonly format: WorkchainFormat
    /** With these two members the record is written as workchain_v2. */
    readonly splitMergeTimings?: RecordOf<typeof timings> | undefined
    readonly persistentStateSplitDepth?: number | undefined
  }

const loadFormat = (s: Slice, basic: boolean): WorkchainFormat => {
  expectTag(s, 4, basic ? 1 : 0, 'WorkchainFormat')
  if (basic) return { type: 'basic', vmVersion: s.loadInt(32), vmMode: s.loadUintBig(64) }
  return {
    type: 'ext',
    minAddrLen: s.loadUint(12),
    maxAddrLen: s.loadUint(12),
    addrLenStep: s.loadUint(12),
    workchainTypeId: s.loadUint(32),
  }
}

const loadDescr = (s: Slice): WorkchainDescr => {
  const tag = s.loadUint(8)
  if (tag !== 0xa6 && tag !== 0xa7) throw badTag('WorkchainDescr', `0x${tag.toString(16)}`)
  const splits = splitFields.load(s)
  const basic = s.loadBit()
  const flags = switchFields.load(s)
  if (s.loadUint(13) !== 0) throw new CellError('range', 'WorkchainDescr: unknown flags')
  const descr = { ...splits, ...flags, ...zerostateFields.load(s), format: loadFormat(s, basic) }
  return tag === 0xa6 ? descr : { ...descr, splitMergeTimings: timingFields.load(s), persistentStateSplitDepth: s.loadUint(8) }
}

const workchainDescr: Field<WorkchainDescr> = {
  load: loadDescr,
  store: (b, descr) => {
    const { format, splitMergeTimings, persistentStateSplitDepth } = descr
    splitFields.store(b.storeUint(splitMergeTimings === undefined ? 0xa6 : 0xa7, 8), descr).storeBit(format.type === 'basic')
    zerostateFields.store(switchFields.store(b, descr).storeUint(0, 13), descr)
    if (format.type === 'basic') b.storeUint(1, 4).storeInt(format.vmVersion, 32).storeUint(format.vmMode, 64)
    else {
      b.storeUint(0, 4).storeUint(format.minAddrLen, 12).storeUint(format.maxAddrLen, 12).storeUint(format.addrLenStep, 12)
      b.storeUint(format.workchainTypeId, 32)
    }
    return splitMergeTimings === undefined ? b : timingFields.store(b, splitMergeTimings).storeUint(persistentStateSplitDepth ?? 0, 8)
  },
}

/** ConfigParam 12: descriptions by workchain. */
export const workchains: Field<ReadonlyMap<number, WorkchainDescr>> = {
  load: (s) =>
    new Map(
      [...dictEntries(s.loadMaybeRef(), 32, { cells: MAX_CHECKED_CELLS })].map(([key, value]) => [
        Number(BigInt.asIntN(32, key)),
        loadToEnd(value, workchainDescr),
      ]),
    ),
  store: (b, descrs) =>
    b.storeMaybeRef(
      dictFromEntries(
        32,
        [...descrs].map(([id, descr]) => [BigInt.asUintN(32, BigInt(id)), workchainDescr.store(beginCell(), descr)] as const),
      ),
    ),
}

export const workchainsCell = (descrs: ReadonlyMap<number, WorkchainDescr>): Cell => workchains.store(beginCell(), descrs).end()
