// A wallet or a name is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.dns.records","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"either wallet address or domain is required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"wallet","message":"either wallet address or domain is required"}]}}}
