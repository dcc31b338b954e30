// More than 100 rows with proofs are refused.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactions","params":{"limit":101,"proofs":true}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"proofs are for at most 100 rows: take a smaller limit","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"proofs are for at most 100 rows: take a smaller limit"}]}}}
