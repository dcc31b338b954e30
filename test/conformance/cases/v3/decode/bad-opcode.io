// An opcode is a number; its place is told.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.decode","params":{"opcodes":["0x1","zz"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid opcode format at index 1: zz","data":{"kind":"INVALID_PARAMS","issues":[{"param":"opcodes","message":"invalid opcode format at index 1: zz","expected":"up to 8 hex digits (0x before them or not), or a decimal number of 32 bits"}]}}}
