import { ENCRYPTED_COMMENT } from '../../actions/comment-text.ts'
import { BOUNCED, EXCESSES } from '../../actions/step.ts'
import { bodiesOf } from '../../decode/bodies.ts'
import { tag } from '../../decode/notation.ts'

/** Types that many protocols share, and types of the chain itself (block.tlb). */
export const messages = `
type ExtraCurrencyCollection - extra_currencies  dict dict 32 vu32
type CurrencyCollection - currencies  grams grams, other ExtraCurrencyCollection
type CommonMsgInfoRelaxed b0 int_msg_info  ihr_disabled bool, bounce bool, bounced bool, src address, dest address_int,
  value CurrencyCollection, ihr_fee grams, fwd_fee grams, created_lt u64, created_at u32
type CommonMsgInfoRelaxed b11 ext_out_msg_info  src address, dest address_ext, created_lt u64, created_at u32
type TickTock - tick_tock  tick bool, tock bool
type StateInit - -  fixed_prefix_length ?u5, special ?TickTock, code ?^cell, data ?^cell, library ?^cell
type MessageRelaxed - message  info CommonMsgInfoRelaxed, init ?(StateInit | ^StateInit), body (any | ^any)
type LibRef b0 libref_hash  lib_hash bits256
type LibRef b1 libref_ref  library ^cell
type OutAction x0ec3c86d action_send_msg  mode u8, out_msg ^MessageRelaxed
type OutAction xad4de08e action_set_code  new_code ^cell
type OutAction x36e6b809 action_reserve_currency  mode u8, currency CurrencyCollection
type OutAction x26fa1dd4 action_change_library  mode u7, libref LibRef
internal ${tag(BOUNCED)} bounce  payload cell
internal 00000000 text_comment  text snake
internal 00000000 text_comment  text ^snake
internal ${tag(ENCRYPTED_COMMENT)} encrypted_text_comment  cipher_text Bytes
forward ${tag(ENCRYPTED_COMMENT)} encrypted_text_comment_forward_payload  cipher_text Bytes
type Bit - -  bit nat1
type Bytes - -  _ cell
internal ${tag(EXCESSES)} excess  query_id u64
internal d372158c top_up  query_id u64
internal 1690c604 credit  query_id u64, amount coins
internal 7b4b42e6 approve  query_id u64
internal e8a0abfe disapprove  query_id u64
` as const

export const TOP_UP = bodiesOf(messages).opcode('internal top_up')
