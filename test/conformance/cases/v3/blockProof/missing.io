// The hashes of the known block are required.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v3.blockProof","params":{"seqno":1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: root_hash required (expected 32 bytes as 64 hex digits (0x before them or not), base64 or base64url) (and 1 other error)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"root_hash","message":"root_hash required","expected":"32 bytes as 64 hex digits (0x before them or not), base64 or base64url"},{"param":"file_hash","message":"file_hash required","expected":"32 bytes as 64 hex digits (0x before them or not), base64 or base64url"}]}}}
