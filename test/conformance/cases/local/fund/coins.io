// An account gets coins, in a block of its own.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.fund","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999","amount":"1000000000"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"70qguZmB6uwga6/xRM9s2suT3io2osG0D7Omh74j3dc=","file_hash":"qT0kFLPatlGiVeJc1UGX6dwzLMnTWCBZEFHJPHWJZVU="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"geB0oeCs2pdhv3pdBO2IfwF6CRnFeceO6pQPrf78NiU="},"trace_id":"geB0oeCs2pdhv3pdBO2IfwF6CRnFeceO6pQPrf78NiU="}}
