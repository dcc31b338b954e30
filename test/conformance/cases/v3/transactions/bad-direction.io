// A direction is in or out.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactions","params":{"opcode":"0x0f8a7ea5","direction":"up"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"direction should be one of: in, out","data":{"kind":"INVALID_PARAMS","issues":[{"param":"direction","message":"direction should be one of: in, out","expected":"in or out"}]}}}
