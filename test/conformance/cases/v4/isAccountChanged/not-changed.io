// At block 9 the wallet had no later transaction.
>> {"jsonrpc":"2.0","id":1,"method":"v4.isAccountChanged","params":{"seqno":9,"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","lt":"9000001"}}
<< {"jsonrpc":"2.0","id":1,"result":{"changed":true,"block":{"workchain":-1,"seqno":9,"shard":"-9223372036854775808","rootHash":"csJGbUtYl64/wkDgmjEPydQ7tsxiAkmPnUVSFRMQfVE=","fileHash":"nkiXStGJtvRFO9dqYTTcdwiDw0bAG/n1iOM8/cXnv7g="}}}
