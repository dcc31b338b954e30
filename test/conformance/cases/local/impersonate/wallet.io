// A wallet sends without its key, in a transaction that it pays for.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.impersonate","params":{"from":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","to":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1000000","bounce":false}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"XCEXI154ZpYhC1Ke8y8VtX6Amanv5qACd7IZ0W2hXSE=","file_hash":"Fosn43jP2VZpc3gNMPpRfez7oke5gxmXNpHrtHt53Vo="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"lMByUm4jM/UlviQ2RctwZQAgSC3w8iBXRapcMdZgGHc="},"trace_id":"lMByUm4jM/UlviQ2RctwZQAgSC3w8iBXRapcMdZgGHc="}}
