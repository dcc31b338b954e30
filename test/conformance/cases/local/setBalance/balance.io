// A balance, without a transaction.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setBalance","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999","balance":"5000000000"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"o9XIv0eFxOVm58+K5asZKp9+psEW7Q+oZZNj+Q/3w18=","file_hash":"Br0qRPJjl3z9qNK0vZpc9P87s8ZRl4LT9B7Luw4hKRQ="}}}
