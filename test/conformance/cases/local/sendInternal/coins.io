// A message from an account that knows nothing of it.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.sendInternal","params":{"from":"0:9999999999999999999999999999999999999999999999999999999999999999","to":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1000000","bounce":false}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"vTesjX5WqA8QhfjkIevcJT0cVpqalFBzk8Dmod++xEo=","file_hash":"6Ud2Bwo8pTBqCEIxgdUKGlWcGPMpMHAqMJcPQYRoMAQ="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"b7VDv4xXq5C56TZvMeHrOE7zy4PIWLzr2p7vG8iL/7g="},"trace_id":"b7VDv4xXq5C56TZvMeHrOE7zy4PIWLzr2p7vG8iL/7g="}}
