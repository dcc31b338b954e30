// A number that does not fit 32 bits is refused.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.getConfig","params":{"seqno":1,"ids":"2147483648"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse ids (expected numbers of configuration parameters (32-bit integers), separated by commas, at most 256)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"ids","message":"failed to parse ids","expected":"numbers of configuration parameters (32-bit integers), separated by commas, at most 256"}]}}}
