// A direction needs a message or an opcode.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactions","params":{"direction":"in"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"direction can be specified only with msg_hash or opcode","data":{"kind":"INVALID_PARAMS","issues":[{"param":"direction","message":"direction can be specified only with msg_hash or opcode"}]}}}
