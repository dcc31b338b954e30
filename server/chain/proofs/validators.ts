import type { KeyObject } from 'node:crypto'
import type { Cell } from '../../cell/cell.ts'
import { validatorGroup } from '../../tlb/block/validator-group.ts'
import { catchainConfig } from '../../tlb/config/consensus.ts'
import { configParam, loadParam } from '../../tlb/config/dict.ts'
import { type GroupMember, validatorListHashShort } from '../../tlb/config/validator-hash.ts'
import { loadValidatorSet } from '../../tlb/config/validator-set.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { ProofError, proving } from './error.ts'

/** The group that signs masterchain blocks at a catchain seqno. */
export interface SigningSet {
  readonly catchainSeqno: number
  /** validator_list_hash_short, unsigned. */
  readonly hash: number
  readonly members: readonly GroupMember[]
  /** OpenSSL key objects by node id in hex. Filled on first use and cached, because a set signs many blocks. */
  readonly keys?: Map<string, KeyObject>
}

/** The masterchain's validator group by a configuration (root of Hashmap 32 ^Cell): from parameter 35 if present, else 34, shuffled as parameter 28 says. */
export const signingSetOf = (config: Cell, catchainSeqno: number): SigningSet =>
  proving('validators', () => {
    const cell = configParam(config, 35) ?? configParam(config, 34)
    if (cell === undefined) throw new ProofError('validators', 'the configuration has none')
    // Without parameter 28 the defaults concern only shards.
    const catchain = loadParam(config, 28, catchainConfig) ?? { shuffleMcValidators: false, shardValidatorsNum: 0 }
    const members = validatorGroup(loadValidatorSet(cell), catchain, { workchain: MASTERCHAIN, shard: WHOLE_SHARD }, catchainSeqno)
    return { catchainSeqno, hash: validatorListHashShort(catchainSeqno, members), members, keys: new Map() }
  })
