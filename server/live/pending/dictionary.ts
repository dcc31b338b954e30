/*
 * The dictionary of the compression of pending traces: the text of a made-up transfer without its values. Most of a trace's JSON is member names and the values
 * that all traces have, and deflate finds them here: a transfer of two transactions takes 1.4 KB instead of 2.6. If the shapes of v3 change, texts get longer
 * and nothing breaks, because a packed text lives in the processes of one service only.
 */
const LINES = [
  '"storage_ph":{"storage_fees_collected":"0","status_change":"unchanged"},"credit_ph":{"credit":"","compute_ph":{"skipped":true,',
  '"reason":"no_state"}},"orig_status":"nonexist","end_status":"uninit","account_status":"uninit","frozen_hash":null,"data_hash":null,',
  '"code_hash":null},"trace_id":"","finality":"confirmed",{"hash":"","hashNorm":"","isIncomplete":false,"tree":{"tx_hash":"",',
  '"in_msg_hash":"","children":[{"tx_hash":"","in_msg_hash":"","children":[]}]},"transactions":[{"account":"","lt":"","hash":"",',
  '"named":["",""],"wire":{"account":"","hash":"","lt":"","now":,"mc_block_seqno":,"trace_external_hash":"","prev_trans_hash":"",',
  '"prev_trans_lt":"0","orig_status":"active","end_status":"active","total_fees":"","total_fees_extra_currencies":{},',
  '"description":{"type":"ord","aborted":false,"destroyed":false,"credit_first":true,"storage_ph":{"storage_fees_collected":",',
  '"status_change":"unchanged"},"compute_ph":{"skipped":false,"success":true,"msg_state_used":false,"account_activated":false,',
  '"gas_fees":"","gas_used":"","gas_limit":"0","gas_credit":"","mode":0,"exit_code":0,"vm_steps":,"vm_init_state_hash":"",',
  '"vm_final_state_hash":""},"action":{"success":true,"valid":true,"no_funds":false,"status_change":"unchanged","total_fwd_fees":"",',
  '"total_action_fees":"","result_code":0,"tot_actions":1,"spec_actions":0,"skipped_actions":0,"msgs_created":1,"action_list_hash":"",',
  '"tot_msg_size":{"cells":"1","bits":"}}},"block_ref":{"workchain":0,"shard":"","seqno":},"in_msg":{"hash":"","source":null,',
  '"destination":"","value":null,"value_extra_currencies":null,"fwd_fee":null,"ihr_fee":null,"extra_flags":null,"created_lt":null,',
  '"created_at":null,"opcode":"0x","decoded_opcode":null,"ihr_disabled":null,"bounce":null,"bounced":null,"import_fee":"0",',
  '"message_content":{"hash":"","body":"","decoded":{"@type":"wallet_signed_v4","signature":"","subwallet_id":"","valid_until":"",',
  '"msg_seqno":"0","op":{"@type":"simple_send","msgs":{"@type":"msgs_1","msg_1":{"mode":"3","msg":{"@type":"message",',
  '"info":{"@type":"int_msg_info","ihr_disabled":true,"bounce":false,"bounced":false,"src":{"@type":"addr_none"},',
  '"dest":{"@type":"addr_std","anycast":{"@type":"nothing_from_maybe"},"workchain_id":"0","address":""},"value":{"@type":"currencies",',
  '"grams":{"@type":"nanograms","amount":{"@type":"var_uint","len":"3","value":""}},"other":{"@type":"extra_currencies",',
  '"dict":{"@type":"hashmap_empty"}}},"ihr_fee":{"@type":"nanograms","amount":{"@type":"var_uint","len":"0","value":"0"}},',
  '"fwd_fee":{"@type":"nanograms","amount":{"@type":"var_uint","len":"0","value":"0"}},"created_lt":"0","created_at":"0"},',
  '"init":{"@type":"nothing_from_maybe"},"body":{"@type":"first_from_either","value":{"@type":"empty_cell"}}}}}}}},"init_state":null},',
  '"out_msgs":[{"hash":"","source":"","destination":"","value":"","value_extra_currencies":{},"fwd_fee":"","ihr_fee":"0",',
  '"extra_flags":"0","created_lt":"","created_at":"","opcode":null,"decoded_opcode":null,"ihr_disabled":true,"bounce":false,',
  '"bounced":false,"import_fee":null,"message_content":{"hash":"","body":"","decoded":{"@type":"empty_cell"}},"init_state":null}],',
  '"account_state_before":{"hash":"","balance":"","extra_currencies":{},"account_status":"active","frozen_hash":null,"data_hash":"",',
  '"code_hash":""},"account_state_after":{"hash":"","balance":"","extra_currencies":{},"account_status":"active","frozen_hash":null,',
  '"data_hash":"","code_hash":""},"emulated":true,"finality":"pending"}}],"actions":[{"type":"ton_transfer","shownType":"ton_transfer",',
  '"ancestors":[],"accounts":["",""],"named":["",""],"wire":{"trace_id":null,"action_id":"","start_lt":"","end_lt":"","start_utime":,',
  '"end_utime":,"trace_end_lt":"","trace_end_utime":,"trace_mc_seqno_end":,"transactions":["",""],"success":true,"type":"ton_transfer",',
  '"details":{"source":"","destination":"","value":"","value_extra_currencies":{},"comment":null,"encrypted":false},"accounts":["",""],',
  '"finality":"pending","trace_external_hash":"","trace_external_hash_norm":""}}],"state":"ok","finality":{"transactions":"pending",',
  '"actions":"pending"}}',
]

export const DICTIONARY = Buffer.from(LINES.join(''))
