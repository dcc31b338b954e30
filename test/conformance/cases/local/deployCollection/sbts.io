// A collection of soul-bound tokens.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.deployCollection","params":{"kind":"sbt","name":"Diplomas"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"S9ZCTtpzY/nIaTtU5zxxo5Q7mV0s8xAMYO8qwYAnAmc=","file_hash":"zHxHowPErgkF2eiXN4iOVV/Y7RZl4sR9q8Zo51UW4hU="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"ZWuL86UNAKMZxivUlh3HdA/NJjXXeE9U27pUjxRLJTA="},"trace_id":"ZWuL86UNAKMZxivUlh3HdA/NJjXXeE9U27pUjxRLJTA=","address":"EQCNx7JyZE5iJ3JRsPIUSwfhVyDsqlMVQsK4rFmqCAUyK4Bo"}}
