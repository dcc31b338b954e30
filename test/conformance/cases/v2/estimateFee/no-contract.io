// An account without a contract uses no gas.
>> {"jsonrpc":"2.0","id":1,"method":"estimateFee","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999","body":"te6cckEBAQEAAgAAAEysuc0="}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"query.fees","source_fees":{"@type":"fees","in_fwd_fee":66667,"storage_fee":0,"gas_fee":6667,"fwd_fee":0},"destination_fees":[]}}
