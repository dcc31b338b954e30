import { CellError } from '../../cell/cell.ts'
import { badTag } from '../common.ts'
import { bool, type Field, type RecordOf, record, u8, u16, u32 } from '../record-layout.ts'

/*
 * catchain_config#c1 mc_catchain_lifetime:(## 32) shard_catchain_lifetime:(## 32) shard_validators_lifetime:(## 32)
 *   shard_validators_num:(## 32) = CatchainConfig;
 * catchain_config_new#c2 flags:(## 7) { flags = 0 } shuffle_mc_validators:Bool mc_catchain_lifetime:(## 32) ... = CatchainConfig;      (28)
 * consensus_config#d6 round_candidates:# next_candidate_delay_ms:uint32 consensus_timeout_ms:uint32 fast_attempts:uint32
 *   attempt_duration:uint32 catchain_max_deps:uint32 max_block_bytes:uint32 max_collated_bytes:uint32 = ConsensusConfig;
 * consensus_config_new#d7 flags:(## 7) new_catchain_ids:Bool round_candidates:(## 8) next_candidate_delay_ms:uint32 ... = ConsensusConfig;
 * consensus_config_v3#d8 ... proto_version:uint16 = ConsensusConfig;
 * consensus_config_v4#d9 flags:(## 6) use_quic:Bool new_catchain_ids:Bool ... proto_version:uint16
 *   catchain_max_blocks_coeff:uint32 = ConsensusConfig;      (29)
 */

const lifetimes = { mcCatchainLifetime: u32, shardCatchainLifetime: u32, shardValidatorsLifetime: u32, shardValidatorsNum: u32 }
const lifetimeFields = record(lifetimes)
/** CatchainConfig. With `shuffleMcValidators` it is written as catchain_config_new. */
export type CatchainConfig = RecordOf<typeof lifetimes> & { readonly shuffleMcValidators?: boolean | undefined }

/** ConfigParam 28. */
export const catchainConfig: Field<CatchainConfig> = {
  load: (s) => {
    const tag = s.loadUint(8)
    if (tag === 0xc1) return lifetimeFields.load(s)
    if (tag !== 0xc2) throw badTag('CatchainConfig', `0x${tag.toString(16)}`)
    if (s.loadUint(7) !== 0) throw new CellError('range', 'CatchainConfig: unknown flags')
    return { shuffleMcValidators: s.loadBit(), ...lifetimeFields.load(s) }
  },
  store: (b, config) =>
    lifetimeFields.store(
      config.shuffleMcValidators === undefined
        ? b.storeUint(0xc1, 8)
        : b.storeUint(0xc2, 8).storeUint(0, 7).storeBit(config.shuffleMcValidators),
      config,
    ),
}

const rounds = {
  nextCandidateDelayMs: u32,
  consensusTimeoutMs: u32,
  fastAttempts: u32,
  attemptDuration: u32,
  catchainMaxDeps: u32,
  maxBlockBytes: u32,
  maxCollatedBytes: u32,
}
const roundFields = record(rounds)
/** ConsensusConfig. Its optional members determine which of four constructors is written, from consensus_config#d6 (no member) to #d9 (all members). */
export type ConsensusConfig = RecordOf<typeof rounds> & {
  readonly roundCandidates: number
  readonly newCatchainIds?: boolean | undefined
  readonly protoVersion?: number | undefined
  readonly useQuic?: boolean | undefined
  readonly catchainMaxBlocksCoeff?: number | undefined
}

/** ConfigParam 29. */
export const consensusConfig: Field<ConsensusConfig> = {
  load: (s) => {
    const tag = s.loadUint(8)
    if (tag === 0xd6) return { roundCandidates: u32.load(s), ...roundFields.load(s) }
    if (tag < 0xd6 || tag > 0xd9) throw badTag('ConsensusConfig', `0x${tag.toString(16)}`)
    if (s.loadUint(6) !== 0) throw new CellError('range', 'ConsensusConfig: unknown flags')
    const useQuic = bool.load(s)
    if (useQuic && tag !== 0xd9) throw new CellError('range', 'ConsensusConfig: use_quic is set, which needs consensus_config_v4')
    const config = { newCatchainIds: bool.load(s), roundCandidates: u8.load(s), ...roundFields.load(s) }
    if (tag === 0xd7) return config
    const protoVersion = u16.load(s)
    return tag === 0xd8 ? { ...config, protoVersion } : { ...config, protoVersion, useQuic, catchainMaxBlocksCoeff: u32.load(s) }
  },
  store: (b, config) => {
    const { newCatchainIds, protoVersion, catchainMaxBlocksCoeff } = config
    if (newCatchainIds === undefined) return roundFields.store(u32.store(b.storeUint(0xd6, 8), config.roundCandidates), config)
    const tag = protoVersion === undefined ? 0xd7 : catchainMaxBlocksCoeff === undefined ? 0xd8 : 0xd9
    b.storeUint(tag, 8)
      .storeUint(0, 6)
      .storeBit(tag === 0xd9 && config.useQuic === true)
      .storeBit(newCatchainIds)
    roundFields.store(u8.store(b, config.roundCandidates), config)
    if (protoVersion !== undefined) u16.store(b, protoVersion)
    return tag === 0xd9 ? u32.store(b, catchainMaxBlocksCoeff ?? 0) : b
  },
}
