// A list without proofs says so.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v3.traces","params":{"limit":1,"proofs":true}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: this method has no proofs (expected no parameter proofs)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"proofs","message":"this method has no proofs","expected":"no parameter proofs"}]}}}
