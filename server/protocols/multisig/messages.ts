import { bodiesOf } from '../../decode/bodies.ts'
import { messages as basic } from '../basic/messages.ts'

export const messages = `
type MultisigAction xf1381e5b send_message  mode u8, message ^MessageRelaxed
type MultisigAction x1d0cfbd3 update_multisig_param  threshold u8, signers ^tree 8 address_int, proposers dict 8 address_int
type MultisigOrder - -  _ tree 8 ^MultisigAction
internal f718510f mulisig_new_order  query_id u64, order_seqno u256, signer bool, index u8, expiration_date u48, order ^MultisigOrder
internal 75097f5d multisig_execute  query_id u64, order_seqno u256, expiration_date u48, approvals_num u8, signers_hash bits256,
  order ^MultisigOrder
internal a32c59bf multisig_execute_internal  query_id u64, order ^MultisigOrder
internal 9c73fba2 multisig_order_init  query_id u64, threshold u8, signers ^tree 8 address_int, expiration_date u48, order ^MultisigOrder,
  signer_index ?u8
internal a762230f multisig_approve  query_id u64, signer_index u8
internal 82609bf6 multisig_approve_accepted  query_id u64
internal afaf283e multisig_approve_rejected  query_id u64, exit_code u32
`

export const { opcode, load } = bodiesOf(`${basic}${messages}` as const)
