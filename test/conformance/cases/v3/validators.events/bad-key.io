// A key has 32 bytes.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.events","params":{"validator_pubkey":"zz"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"validator_pubkey must be a 32-byte value in hex, base64 or base64url format","data":{"kind":"INVALID_PARAMS","issues":[{"param":"validator_pubkey","message":"validator_pubkey must be a 32-byte value in hex, base64 or base64url format","expected":"32 bytes as 64 hex digits (0x before them or not), base64 or base64url"}]}}}
