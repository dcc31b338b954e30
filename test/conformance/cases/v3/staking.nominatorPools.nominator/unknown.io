// Somebody without a deposit has an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.staking.nominatorPools.nominator","params":{"nominator":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":{"nominator_pools":[],"address_book":{}}}
