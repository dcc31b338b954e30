import type { Slice } from '../../cell/slice.ts'
import { badTag } from '../common.ts'
import { type Field, optional, type RecordOf, record, tagged, u8, u16, u32 } from '../record-layout.ts'

/*
 * param_limits#c3 underload:# soft_limit:# hard_limit:# = ParamLimits;
 * imported_msg_queue_limits#d3 max_bytes:# max_msgs:# = ImportedMsgQueueLimits;
 * block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits = BlockLimits;
 * block_limits_v2#5e bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits
 *   collated_data:ParamLimits imported_msg_queue:ImportedMsgQueueLimits = BlockLimits;      (22 masterchain, 23)
 * size_limits_config#01 max_msg_bits:uint32 max_msg_cells:uint32 max_library_cells:uint32 max_vm_data_depth:uint16
 *   max_ext_msg_size:uint32 max_ext_msg_depth:uint16 = SizeLimitsConfig;
 * size_limits_config_v2#02 ... max_acc_state_cells:uint32 max_mc_acc_state_cells:uint32 max_acc_public_libraries:uint32
 *   defer_out_queue_size_limit:uint32 max_msg_extra_currencies:uint32 max_acc_fixed_prefix_length:uint8
 *   acc_state_cells_for_storage_dict:uint32 max_transaction_library_loads:(Maybe uint32) = SizeLimitsConfig;
 * size_limits_config_v3#03 ... max_total_msg_bits:uint32 max_total_msg_cells:uint32 = SizeLimitsConfig;      (43)
 */

const params = { underload: u32, softLimit: u32, hardLimit: u32 }
export type ParamLimits = RecordOf<typeof params>
const paramLimits = tagged(8, 0xc3, 'ParamLimits', record(params))
const queueLimits = tagged(8, 0xd3, 'ImportedMsgQueueLimits', record({ maxBytes: u32, maxMsgs: u32 }))
const base = record({ bytes: paramLimits, gas: paramLimits, ltDelta: paramLimits })
const more = record({ collatedData: paramLimits, importedMsgQueue: queueLimits })

export interface BlockLimits {
  readonly bytes: ParamLimits
  readonly gas: ParamLimits
  readonly ltDelta: ParamLimits
  /** With these two members the record is written as block_limits_v2. */
  readonly collatedData?: ParamLimits | undefined
  readonly importedMsgQueue?: { readonly maxBytes: number; readonly maxMsgs: number } | undefined
}

/** ConfigParam 22 (masterchain) and 23. */
export const blockLimits: Field<BlockLimits> = {
  load: (s) => {
    const tag = s.loadUint(8)
    if (tag === 0x5d) return base.load(s)
    if (tag === 0x5e) return { ...base.load(s), ...more.load(s) }
    throw badTag('BlockLimits', `0x${tag.toString(16)}`)
  },
  store: (b, limits) => {
    const { collatedData, importedMsgQueue } = limits
    if (collatedData === undefined || importedMsgQueue === undefined) return base.store(b.storeUint(0x5d, 8), limits)
    return more.store(base.store(b.storeUint(0x5e, 8), limits), { collatedData, importedMsgQueue })
  },
}

const sizesV1 = { maxMsgBits: u32, maxMsgCells: u32, maxLibraryCells: u32, maxVmDataDepth: u16, maxExtMsgSize: u32, maxExtMsgDepth: u16 }
const sizesV2 = {
  maxAccStateCells: u32,
  maxMcAccStateCells: u32,
  maxAccPublicLibraries: u32,
  deferOutQueueSizeLimit: u32,
  maxMsgExtraCurrencies: u32,
  maxAccFixedPrefixLength: u8,
  accStateCellsForStorageDict: u32,
}
const libraryLoads = optional(u32)
const sizesV3 = { maxTotalMsgBits: u32, maxTotalMsgCells: u32 }
const [v1, v2, v3] = [record(sizesV1), record(sizesV2), record(sizesV3)]

/** SizeLimits. The members that are set determine the constructor: the first six #01, all but the last two #02, all #03. */
export type SizeLimits = RecordOf<typeof sizesV1> &
  Partial<RecordOf<typeof sizesV2>> & {
    readonly maxTransactionLibraryLoads?: number | undefined
    /** True if the record ends before maxTransactionLibraryLoads, as it did before global version 13. */
    readonly withoutLibraryLoads?: boolean
  } & Partial<RecordOf<typeof sizesV3>>

const loadSizes = (s: Slice): SizeLimits => {
  const tag = s.loadUint(8)
  if (tag < 1 || tag > 3) throw badTag('SizeLimitsConfig', tag)
  const first = v1.load(s)
  if (tag === 1) return first
  const second = v2.load(s)
  if (tag === 2 && s.remainingBits === 0) return { ...first, ...second, withoutLibraryLoads: true }
  const loads = { maxTransactionLibraryLoads: libraryLoads.load(s) }
  return tag === 2 ? { ...first, ...second, ...loads } : { ...first, ...second, ...loads, ...v3.load(s) }
}

/** ConfigParam 43. */
export const sizeLimits: Field<SizeLimits> = {
  load: loadSizes,
  store: (b, limits) => {
    const { maxTotalMsgBits, maxTotalMsgCells } = limits
    const tag = maxTotalMsgBits !== undefined ? 3 : limits.maxAccStateCells !== undefined ? 2 : 1
    v1.store(b.storeUint(tag, 8), limits)
    if (tag === 1) return b
    v2.store(b, limits as RecordOf<typeof sizesV2>)
    if (!limits.withoutLibraryLoads) libraryLoads.store(b, limits.maxTransactionLibraryLoads)
    return maxTotalMsgBits === undefined || maxTotalMsgCells === undefined ? b : v3.store(b, { maxTotalMsgBits, maxTotalMsgCells })
  },
}
