// Somebody without a reward has an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.staking.nominatorPools.nominatorRewards","params":{"pool":"-1:f65ad7c13f44364e39c07e9d0fd308b1005a7b851e5fbdbca07bbe65f5daa752","nominator":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":{"total_on_page":"0","rewards":[],"address_book":{}}}
