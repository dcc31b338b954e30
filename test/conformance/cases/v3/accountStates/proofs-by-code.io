// Proofs are for accounts that are named.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v3.accountStates","params":{"code_hash":["TRkWgdCO0RULOeL9d+y4gp4BVHwxUZlqML1lINyvQV8="],"proofs":true}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"proofs are for at most 100 accounts that `address` names","data":{"kind":"INVALID_PARAMS","issues":[{"param":"address","message":"proofs are for at most 100 accounts that `address` names"}]}}}
