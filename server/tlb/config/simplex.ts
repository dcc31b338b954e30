import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../cell/dict.ts'
import { badTag, expectTag } from '../common.ts'
import { bool, type Field, type RecordOf, record, u32 } from '../record-layout.ts'
import { loadWhole, storeWhole } from './config-dictionary.ts'

/*
 * simplex_config#21 flags:(## 7) use_quic:Bool target_rate_ms:uint32 slots_per_leader_window:(## 32) { slots_per_leader_window >= 1 }
 *   first_block_timeout_ms:uint32 max_leader_window_desync:uint32 = NewConsensusConfig;
 * simplex_config_v2#22 flags:(## 5) protocol_version:(## 2) use_quic:Bool slots_per_leader_window:(## 32) { slots_per_leader_window >= 1 }
 *   noncritical_params:(HashmapE 8 uint32) = NewConsensusConfig;
 * new_consensus_config_all#10 mc:(Maybe ^NewConsensusConfig) shard:(Maybe ^NewConsensusConfig) = NewConsensusConfigAll;
 * _ NewConsensusConfigAll = ConfigParam 30;
 */

const v1 = { useQuic: bool, targetRateMs: u32, slotsPerLeaderWindow: u32, firstBlockTimeoutMs: u32, maxLeaderWindowDesync: u32 }
const v1Fields = record(v1)

/** Settings of the simplex consensus, for the masterchain or for shards. Times are in milliseconds. */
export type SimplexConfig =
  | ({ readonly type: 'v1'; readonly flags: number } & RecordOf<typeof v1>)
  | {
      readonly type: 'v2'
      readonly flags: number
      readonly protocolVersion: number
      readonly useQuic: boolean
      readonly slotsPerLeaderWindow: number
      /** Values by number. ENUMERATE_NONCRITICAL_PARAMS in ton/ton-types.h names the numbers. */
      readonly noncritical: ReadonlyMap<number, number>
    }

/** @internal NewConsensusConfig. Throws CellError for a leader window without slots. */
export const simplexConfig: Field<SimplexConfig> = {
  load: (s) => {
    const tag = s.loadUint(8)
    if (tag !== 0x21 && tag !== 0x22) throw badTag('NewConsensusConfig', `0x${tag.toString(16)}`)
    let config: SimplexConfig
    if (tag === 0x21) config = { type: 'v1', flags: s.loadUint(7), ...v1Fields.load(s) }
    else {
      const head = { flags: s.loadUint(5), protocolVersion: s.loadUint(2), useQuic: s.loadBit(), slotsPerLeaderWindow: s.loadUint(32) }
      const noncritical = new Map<number, number>()
      for (const [key, value] of dictEntries(s.loadMaybeRef(), 8, { cells: MAX_CHECKED_CELLS })) {
        noncritical.set(Number(key), value.loadUint(32))
        value.end()
      }
      config = { type: 'v2', ...head, noncritical }
    }
    if (config.slotsPerLeaderWindow < 1) throw new CellError('range', 'NewConsensusConfig: slots_per_leader_window is 0')
    return config
  },
  store: (b, config) => {
    if (config.type === 'v1') return v1Fields.store(b.storeUint(0x21, 8).storeUint(config.flags, 7), config)
    b.storeUint(0x22, 8).storeUint(config.flags, 5).storeUint(config.protocolVersion, 2).storeBit(config.useQuic)
    const entries = [...config.noncritical].map(([key, value]) => [BigInt(key), beginCell().storeUint(value, 32)] as const)
    return b.storeUint(config.slotsPerLeaderWindow, 32).storeMaybeRef(dictFromEntries(8, entries))
  },
}

/** The settings of the masterchain and of the shards; undefined where the catchain consensus still applies. */
export interface SimplexConfigs {
  readonly masterchain: SimplexConfig | undefined
  readonly shards: SimplexConfig | undefined
}

const loadOne = (cell: Cell | undefined): SimplexConfig | undefined => cell && loadWhole(cell, simplexConfig.load)
const storeOne = (config: SimplexConfig | undefined): Cell | undefined => config && storeWhole(simplexConfig, config)

/** ConfigParam 30. */
export const simplexConfigs: Field<SimplexConfigs> = {
  load: (s) => {
    expectTag(s, 8, 0x10, 'NewConsensusConfigAll')
    return { masterchain: loadOne(s.loadMaybeRef()), shards: loadOne(s.loadMaybeRef()) }
  },
  store: (b, { masterchain, shards }) => b.storeUint(0x10, 8).storeMaybeRef(storeOne(masterchain)).storeMaybeRef(storeOne(shards)),
}
