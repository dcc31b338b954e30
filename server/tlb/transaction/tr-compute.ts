import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag, storeHash } from '../common.ts'

/*
 * tr_phase_compute_skipped$0 reason:ComputeSkipReason = TrComputePhase;
 * tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams
 *   ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3)) mode:int8 exit_code:int32
 *   exit_arg:(Maybe int32) vm_steps:uint32 vm_init_state_hash:bits256 vm_final_state_hash:bits256 ] = TrComputePhase;
 * cskip_no_state$00  cskip_bad_state$01  cskip_no_gas$10  cskip_suspended$110 = ComputeSkipReason;
 */

export interface SkippedComputePhase {
  readonly type: 'skipped'
  readonly reason: 'no_state' | 'bad_state' | 'no_gas' | 'suspended'
}
export interface VmComputePhase {
  readonly type: 'vm'
  readonly success: boolean
  readonly msgStateUsed: boolean
  readonly accountActivated: boolean
  readonly gasFees: bigint
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  readonly gasCredit?: number | undefined
  readonly mode: number
  readonly exitCode: number
  readonly exitArg?: number | undefined
  readonly vmSteps: number
  readonly vmInitStateHash: Uint8Array
  readonly vmFinalStateHash: Uint8Array
}
export type ComputePhase = SkippedComputePhase | VmComputePhase

const SKIP_REASONS = ['no_state', 'bad_state', 'no_gas'] as const

const loadSkipped = (s: Slice): SkippedComputePhase => {
  const reason = SKIP_REASONS[s.loadUint(2)]
  if (reason !== undefined) return { type: 'skipped', reason }
  if (s.loadBit()) throw badTag('ComputeSkipReason', '111')
  return { type: 'skipped', reason: 'suspended' }
}

export const loadComputePhase = (s: Slice): ComputePhase => {
  if (!s.loadBit()) return loadSkipped(s)
  const flags = s.loadUint(3)
  const gasFees = s.loadCoins()
  const inner = s.loadRef().slice()
  const phase: ComputePhase = {
    type: 'vm',
    success: (flags & 4) !== 0,
    msgStateUsed: (flags & 2) !== 0,
    accountActivated: (flags & 1) !== 0,
    gasFees,
    gasUsed: inner.loadVarUint(3),
    gasLimit: inner.loadVarUint(3),
    gasCredit: inner.loadBit() ? Number(inner.loadVarUint(2)) : undefined,
    mode: inner.loadInt(8),
    exitCode: inner.loadInt(32),
    exitArg: inner.loadBit() ? inner.loadInt(32) : undefined,
    vmSteps: inner.loadUint(32),
    vmInitStateHash: inner.loadBytes(32),
    vmFinalStateHash: inner.loadBytes(32),
  }
  inner.end()
  return phase
}

const storeSkipped = (b: Builder, reason: SkippedComputePhase['reason']): Builder =>
  reason === 'suspended' ? b.storeUint(6, 4) : b.storeUint(SKIP_REASONS.indexOf(reason), 3)

export const storeComputePhase = (b: Builder, phase: ComputePhase): Builder => {
  if (phase.type === 'skipped') return storeSkipped(b, phase.reason)
  const inner = beginCell().storeVarUint(phase.gasUsed, 3).storeVarUint(phase.gasLimit, 3)
  if (phase.gasCredit === undefined) inner.storeBit(0)
  else inner.storeBit(1).storeVarUint(BigInt(phase.gasCredit), 2)
  inner.storeInt(phase.mode, 8).storeInt(phase.exitCode, 32)
  if (phase.exitArg === undefined) inner.storeBit(0)
  else inner.storeBit(1).storeInt(phase.exitArg, 32)
  storeHash(storeHash(inner.storeUint(phase.vmSteps, 32), phase.vmInitStateHash), phase.vmFinalStateHash)
  b.storeBit(1).storeBit(phase.success).storeBit(phase.msgStateUsed).storeBit(phase.accountActivated)
  return b.storeCoins(phase.gasFees).storeRef(inner.end())
}
