// An account without a contract.
>> {"jsonrpc":"2.0","id":1,"method":"v3.estimateFee","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999","body":"te6cckEBAQEAAgAAAEysuc0="}}
<< {"jsonrpc":"2.0","id":1,"result":{"source_fees":{"in_fwd_fee":66667,"storage_fee":0,"gas_fee":6667,"fwd_fee":0},"destination_fees":[]}}
