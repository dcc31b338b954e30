// Every block after a mark is undone: the answer is the block of the mark.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.snapshot","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"snapshot":"<snapshot>"}}
>> {"jsonrpc":"2.0","id":2,"method":"local.fund","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999","amount":"5"}}
<< {"jsonrpc":"2.0","id":2,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"zapJ+VoYGVMg1QQa64PVyOUUuNnnm4n7jx58dmAbvhA=","file_hash":"V48xtAY9zguiSVEJ2L6/qL4j9kyqvf6yK3zwIci+2h4="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"K0FVflxzICIupuA8VZmfDw1Vp4yZS0y2Y0tIWvy/m4E="},"trace_id":"K0FVflxzICIupuA8VZmfDw1Vp4yZS0y2Y0tIWvy/m4E="}}
>> {"jsonrpc":"2.0","id":3,"method":"local.revert","params":{"snapshot":"snapshot-1"}}
<< {"jsonrpc":"2.0","id":3,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":142,"root_hash":"JItNkBNnnfX0qvQ5iS/6znPSo3s9HLR7a3DQk3dtdnc=","file_hash":"VzoAzvntYvAl3GtZXxPTHXNJgekwIbj14poGmDV2c0g="}}}
