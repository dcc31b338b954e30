import { tag } from '../../decode/notation.ts'
import { ELECTOR_OPS } from '../../tlb/contracts/elector.ts'

export const messages = `
internal ${tag(ELECTOR_OPS.newStake)} elector_new_stake  query_id u64, validator_pubkey bits256, stake_at u32, max_factor u32, adnl_addr bits256,
  signature ^bits512
internal ${tag(ELECTOR_OPS.newStakeOk)} elector_new_stake_confirmation  query_id u64
internal ${tag(ELECTOR_OPS.recoverStake)} elector_recover_stake_request  query_id u64
internal ${tag(ELECTOR_OPS.recoverStakeOk)} elector_recover_stake_response  query_id u64
`
