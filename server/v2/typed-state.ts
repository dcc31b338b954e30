import type { Result } from '../../shared/registry.ts'
import { MAX_CHECKED_CELLS } from '../cell/budget.ts'
import type { Cell } from '../cell/cell.ts'
import { dictEntries } from '../cell/dict.ts'
import type { Slice } from '../cell/slice.ts'
import type { AccountState } from '../chain/chain-port.ts'
import { base64, bocInTurns, maybeBocInTurns } from './wire.ts'

/*
 * Contracts of TON's own repository (https://github.com/ton-blockchain/ton, crypto/smc-envelope, commit ca7d6e4), which getExtendedAddressInformation
 * recognizes by their code hash.
 */

type Kind = Result<'getExtendedAddressInformation'>['account_state']

interface ContractReader {
  readonly revision: number
  /** Minimum number of bits of the data. `read` is not called for shorter data. */
  readonly bits: number
  readonly read: (data: Slice, state: AccountState) => Kind
}

type WithSeqno = 'wallet.v3.accountState' | 'wallet.v4.accountState' | 'wallet.highload.v1.accountState'

const seqnoAndId = (type: WithSeqno, revision: number): ContractReader => ({
  revision,
  bits: 64,
  read: (s) => {
    const seqno = s.loadUint(32)
    return { '@type': type, wallet_id: s.loadUint(32), seqno }
  },
})
const idOnly = (type: 'wallet.highload.v2.accountState' | 'dns.accountState', revision: number): ContractReader => ({
  revision,
  bits: 32,
  read: (s) => ({ '@type': type, wallet_id: s.loadUint(32) }),
})

/** seqno:uint32 wallet_id:int32 public_key:bits256 start_at:uint32 limits:(HashmapE 32 Grams); the last two exist once the wallet is initialised (seqno > 0). */
const restricted: ContractReader = {
  revision: 1,
  bits: 64,
  read: (s, state) => {
    const seqno = s.loadUint(32)
    const wallet_id = s.loadInt(32)
    const set = seqno > 0 && s.remainingBits >= 289
    const start_at = set ? s.skip(256).loadUint(32) : 0
    const limits = set ? restrictedLimits(s.loadMaybeRef()) : []
    // Rule of the contract: the locked amount is the limit with the greatest key that does not exceed the seconds since the start. -1: no start is set.
    const passed = start_at ? state.genUtime - start_at : -1
    const locked = limits
      .filter((limit) => limit.seconds <= passed)
      .reduce((a, b) => (a && a.seconds > b.seconds ? a : b), undefined as Limit | undefined)
    const unlocked = state.balance.grams - (locked?.value ?? 0n)
    return {
      '@type': 'rwallet.accountState',
      wallet_id,
      seqno,
      unlocked_balance: Number(unlocked > 0n ? unlocked : 0n),
      config: {
        '@type': 'rwallet.config',
        start_at,
        limits: limits.map((limit) => ({ '@type': 'rwallet.limit', seconds: limit.seconds, value: Number(limit.value) })),
      },
    }
  },
}
interface Limit {
  readonly seconds: number
  readonly value: bigint
}
/** Reads at most 256 limits. Keys are signed, as in the contract. */
const restrictedLimits = (root: Cell | undefined): Limit[] => {
  const limits: Limit[] = []
  for (const [key, value] of dictEntries(root, 32, { cells: MAX_CHECKED_CELLS })) {
    if (limits.push({ seconds: Number(BigInt.asIntN(32, key)), value: value.loadCoins() }) >= 256) break
  }
  return limits
}

const READERS: Readonly<Record<string, ContractReader>> = {
  b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581: seqnoAndId('wallet.v3.accountState', 1),
  '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599': seqnoAndId('wallet.v3.accountState', 2),
  feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0: seqnoAndId('wallet.v4.accountState', 2),
  d8cdbbb79f2c5caa677ac450770be0351be21e1250486de85cc52aa33dd16484: seqnoAndId('wallet.highload.v1.accountState', 1),
  '368c03972e5f4c24412b818652de1de2a2630d1c011609999dff745fb36849ad': seqnoAndId('wallet.highload.v1.accountState', 2),
  '8ceb45b3cd4b5cc60eaae1c13b9c092392677fe536b2e9b2d801b62eff931fe1': idOnly('wallet.highload.v2.accountState', 1),
  '0b3a887aeacd2a7d40bb5550bc9253156a029065aefb6d6b583735d58da9d5be': idOnly('wallet.highload.v2.accountState', 2),
  a0d67d2de8919fe7b7ca77652ccd4fdc56c689de7a69161e45fb0dcc5e47c155: idOnly('dns.accountState', 1),
  '8d35049b946cf33b58510bb4560c841a945f7781d6de9fc69ca3f430f6e32273': restricted,
}

/** The typed state of an account and the revision of its contract; revision 0 for an unknown contract. */
export const typedState = async (
  state: AccountState,
  signal: AbortSignal,
): Promise<{ readonly account_state: Kind; readonly revision: number }> => {
  const account = state.account?.state
  const code = account?.type === 'active' ? account.init.code : undefined
  if (account === undefined || code === undefined) {
    const frozen_hash = account?.type === 'frozen' ? base64(account.stateHash) : ''
    return { account_state: { '@type': 'uninited.accountState', frozen_hash }, revision: 0 }
  }
  const data = account.type === 'active' ? account.init.data : undefined
  const hash = code.hashHex()
  const reader = Object.hasOwn(READERS, hash) ? READERS[hash]! : undefined
  if (reader && data && !data.exotic && data.bits >= reader.bits)
    return { account_state: reader.read(data.slice(), state), revision: reader.revision }
  const cells = { code: await bocInTurns(code, signal), data: await maybeBocInTurns(data, signal) }
  return { account_state: { '@type': 'raw.accountState', ...cells, frozen_hash: '' }, revision: 0 }
}
