// The wallet has a transaction after its first one.
>> {"jsonrpc":"2.0","id":1,"method":"v4.isAccountChanged","params":{"seqno":142,"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","lt":"1"}}
<< {"jsonrpc":"2.0","id":1,"result":{"changed":true,"block":{"workchain":-1,"seqno":142,"shard":"-9223372036854775808","rootHash":"JItNkBNnnfX0qvQ5iS/6znPSo3s9HLR7a3DQk3dtdnc=","fileHash":"VzoAzvntYvAl3GtZXxPTHXNJgekwIbj14poGmDV2c0g="}}}
