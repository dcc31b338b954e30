// A text that is no hash is refused.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getBlockHeader","params":{"workchain":0,"shard":"-9223372036854775808","seqno":5,"root_hash":"zz","file_hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse root_hash","data":{"kind":"INVALID_PARAMS","issues":[{"param":"root_hash","message":"failed to parse root_hash","expected":"32 bytes as base64 (44 characters), base64url (43 or 44) or 64 hex digits"}]}}}
