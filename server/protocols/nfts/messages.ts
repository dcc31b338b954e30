import { bodiesOf } from '../../decode/bodies.ts'
import { tag } from '../../decode/notation.ts'
import { NFT_TRANSFER } from '../../tlb/message/token-messages.ts'

/** NFTs (TEP-62, TEP-66) and SBTs (TEP-85). */
export const messages = `
internal ${tag(NFT_TRANSFER)} nft_transfer  query_id u64, new_owner address, response_destination address, custom_payload ?^cell,
  forward_amount vu16, forward_payload (cell | ^cell)
internal 05138d91 nft_ownership_assigned  query_id u64, prev_owner address, forward_payload (cell | ^cell)
internal 2fcb26a2 get_static_data  query_id u64
internal 8b771735 report_static_data  query_id u64, index u256, collection address
internal 693d3950 get_royalty_params  query_id u64
internal a8cb00ad report_royalty_params  query_id u64, numerator u16, denominator u16, destination address
internal 04ded148 prove_ownership  query_id u64, dest address, forward_payload ^cell, with_content bool
internal 0524c7ae ownership_proof  query_id u64, item_id u256, owner address, data ^cell, revoked_at u64, content ?^cell
internal d0c3bfea sbt_request_owner  query_id u64, dest address, forward_payload ^cell, with_content bool
internal 0dd607e3 sbt_owner_info  query_id u64, item_id u256, initiator address, owner address, data ^cell, revoked_at u64, content ?^cell
internal 1f04537a sbt_destroy  query_id u64
internal 6f89f5e3 sbt_revoke  query_id u64
` as const

export const { opcode, load } = bodiesOf(messages)
