// A message is named by its hash, its body or its opcode.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactionsByMessage","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"at least one of msg_hash, body_hash, opcode should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"at least one of msg_hash, body_hash, opcode should be specified"}]}}}
