// A message with a body, which the contract does not take.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.sendInternal","params":{"from":"0:9999999999999999999999999999999999999999999999999999999999999999","to":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG","amount":"50000000","body":"te6cckEBAQEAEwAAIgAAAABoZWxsbywgZnJpZW5k6W+HXQ=="}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"3F1jE7Vgj/puqr9FpROxUCWnYpxPpsMgjz4uTXMTiG8=","file_hash":"kAl5J5HGg0mIpyia8ygVzAlLKd7fILeFNtOo/K5qQIc="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"PHyAz3mw3vezw0FcwVjrI5Z8uc7p3DxnnYV+BSrncYo="},"trace_id":"PHyAz3mw3vezw0FcwVjrI5Z8uc7p3DxnnYV+BSrncYo="}}
