// An account without transactions counts as changed.
>> {"jsonrpc":"2.0","id":1,"method":"v4.isAccountChanged","params":{"seqno":9,"address":"0:9999999999999999999999999999999999999999999999999999999999999999","lt":"9000001"}}
<< {"jsonrpc":"2.0","id":1,"result":{"changed":true,"block":{"workchain":-1,"seqno":9,"shard":"-9223372036854775808","rootHash":"csJGbUtYl64/wkDgmjEPydQ7tsxiAkmPnUVSFRMQfVE=","fileHash":"nkiXStGJtvRFO9dqYTTcdwiDw0bAG/n1iOM8/cXnv7g="}}}
