import { serializeBoc } from '../../../../server/cell/boc.ts'
import { beginCell } from '../../../../server/cell/builder.ts'
import type { Cell } from '../../../../server/cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../../../server/cell/dict.ts'

/** A blockchain configuration in the emulator's forms. */
export interface EmulatorConfig {
  /** Hex of the root's hash. */
  readonly id: string
  /** Root of Hashmap 32 ^Cell as a BoC, with parameter 43 in a form that the emulator can read. */
  readonly full: Uint8Array
  /** The same, but large parameters that no contract reads are replaced by library cells with their hash. */
  readonly slim: Uint8Array
  /** Only the parameters that the emulator itself reads, for code that reads no configuration. */
  readonly own: Uint8Array
  /** Hashes (hex) of the parameters left out of `slim`. A get-method that requests one as a library is run again with `full`. */
  readonly slimmed: readonly string[]
}

/** The part of the configuration that a get-method gets. */
export type ConfigForm = 'full' | 'slim' | 'own'

/** Parameters that the emulator itself reads when it unpacks a configuration: 8 version, 12 workchains, 18..25 prices, 31 special accounts, 43 limits, 45 precompiled. */
const READ_BY_EMULATOR = new Set([0, 8, 12, 18, 19, 20, 21, 24, 25, 31, 43, 45])
/** The parameters of these that a get-method depends on: prices, limits and instructions. */
const READ_BY_GET_METHODS = new Set([8, 18, 19, 20, 21, 24, 25, 43, 45])
/** Parameters with more cells than this are left out of the slim form: validator sets (32..37), the suspended list (44) and similar ones. */
const LARGE = 16

/*
 * size_limits_config_v2#02 max_msg_bits:uint32 max_msg_cells:uint32 max_library_cells:uint32 max_vm_data_depth:uint16 max_ext_msg_size:uint32
 *   max_ext_msg_depth:uint16 max_acc_state_cells:uint32 max_mc_acc_state_cells:uint32 max_acc_public_libraries:uint32
 *   defer_out_queue_size_limit:uint32 max_msg_extra_currencies:uint32 max_acc_fixed_prefix_length:uint8 acc_state_cells_for_storage_dict:uint32
 *   max_transaction_library_loads:(Maybe uint32) = SizeLimitsConfig;
 * size_limits_config_v3#03 (the same, and two more) = SizeLimitsConfig;
 */
const LIMITS_KNOWN_BITS = 368

/** Emulator 0.41.0 knows an older parameter 43, without its last fields. With the new fields it refuses every transaction. */
const trimLimits = (limits: Cell): Cell => {
  if (limits.bits <= LIMITS_KNOWN_BITS) return limits
  const slice = limits.slice()
  if (slice.loadUint(8) < 2) return limits
  return beginCell()
    .storeUint(2, 8)
    .storeBits(slice.loadBits(LIMITS_KNOWN_BITS - 8), LIMITS_KNOWN_BITS - 8)
    .end()
}

const isLarge = (root: Cell): boolean => {
  const seen = new Set<string>()
  const visit = (cell: Cell): boolean => {
    seen.add(cell.hashHex())
    if (seen.size > LARGE) return true
    for (let i = 0; i < cell.refCount; i++) {
      const child = cell.ref(i)
      if (!seen.has(child.hashHex()) && visit(child)) return true
    }
    return false
  }
  return visit(root)
}

const libraryRef = (cell: Cell): Cell => beginCell().storeUint(2, 8).storeBytes(cell.hash()).endExotic()
const build = (params: Iterable<[bigint, Cell]>): Uint8Array => {
  const root = dictFromEntries(
    32,
    [...params].map(([key, value]) => [key, beginCell().storeRef(value)] as const),
  )
  return serializeBoc(root ?? beginCell().end(), { crc32c: false })
}

/** Converts a configuration (root of Hashmap 32 ^Cell) to the emulator's forms. */
export const emulatorConfig = (configRoot: Cell): EmulatorConfig => {
  const params = new Map<bigint, Cell>()
  for (const [key, value] of dictEntries(configRoot, 32, { cells: 1e9 }))
    params.set(key, key === 43n ? trimLimits(value.loadRef()) : value.loadRef())
  const slimmed: string[] = []
  const slim = [...params].map(([key, value]): [bigint, Cell] => {
    if (READ_BY_EMULATOR.has(Number(key)) || !isLarge(value)) return [key, value]
    slimmed.push(value.hashHex())
    return [key, libraryRef(value)]
  })
  const own = [...params].filter(([key]) => READ_BY_GET_METHODS.has(Number(key)))
  return { id: configRoot.hashHex(), full: build(params), slim: build(slim), own: build(own), slimmed }
}
