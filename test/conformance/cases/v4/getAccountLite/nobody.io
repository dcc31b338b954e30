// An account that does not exist.
>> {"jsonrpc":"2.0","id":1,"method":"v4.getAccountLite","params":{"seqno":20,"address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":{"account":{"state":{"type":"uninit"},"balance":{"coins":"0","currencies":{}},"last":null,"storageStat":null},"block":{"workchain":-1,"seqno":20,"shard":"-9223372036854775808","rootHash":"Sun5a8YUj0THjavxwizjaE23tCZG1pQPPa1HhJh1c38=","fileHash":"hcagQkotH5Df81xmbI32f83Er369+/fam7RmiJ+p2CU="}}}
