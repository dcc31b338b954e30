// An address is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.metadata","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"at least 1 address required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"address","message":"at least 1 address required","expected":"one or more: an address; as repeated names, as an array or separated by commas; at most 1024"}]}}}
