// Several jettons need exactly one owner.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.jetton.wallets","params":{"jetton_address":["EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG","0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"exact one owner_address required for multiple jetton_address","data":{"kind":"INVALID_PARAMS","issues":[{"param":"jetton_address","message":"exact one owner_address required for multiple jetton_address"}]}}}
