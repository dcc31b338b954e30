// A contract that is no wallet is a 409.
// status: 409
>> {"jsonrpc":"2.0","id":1,"method":"v3.walletInformation","params":{"address":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32010,"message":"not a wallet","data":{"kind":"NOT_A_WALLET"}}}
