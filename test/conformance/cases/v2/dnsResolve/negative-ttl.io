// ttl cannot be negative.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"dnsResolve","params":{"address":"EQDOMSI-eA3fBh7nh8M0w7kZZ2vszGnAQC2eFa7bjpyNw23S","name":"oak","ttl":-1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: ttl should be non-negative (expected 32-bit integer, decimal from 0)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"ttl","message":"ttl should be non-negative","expected":"32-bit integer, decimal from 0"}]}}}
