// A message that the contract rejects costs no gas.
>> {"jsonrpc":"2.0","id":1,"method":"estimateFee","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","body":"te6cckEBAQEAAgAAAEysuc0=","ignore_chksig":true}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"query.fees","source_fees":{"@type":"fees","in_fwd_fee":66667,"storage_fee":130,"gas_fee":0,"fwd_fee":0},"destination_fees":[]}}
