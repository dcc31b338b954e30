// An account that is no wallet cannot carry it out.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"emulate.tonConnect","params":{"from":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG","messages":[{"address":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"50000000"}],"rand_seed":"KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKg=","now":1700003024}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32052,"message":"Account is not a known wallet","data":{"kind":"EMULATION"}}}
