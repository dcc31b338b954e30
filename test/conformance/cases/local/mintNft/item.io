// The next item of a collection.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.mintNft","params":{"collection":"EQA7tYxE3mbbGmnP4L4h6X6DX82nPhKiIVjWwgnXoiYoTXTS","owner":"0:7777777777777777777777777777777777777777777777777777777777777777","name":"Leaf 4"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"iDO8oHPjc6FpRMHoPZObESgg8NHZxAVJNYHvlIqQM2o=","file_hash":"w1ARUQ3bjIgkKGIhIP0JczVfsdPTluvf8/TXOdvVqP8="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"JHZbKp1KUPMSWDXaHKzQSD2Kp+kLQSocPyMWh3Kd/zI="},"trace_id":"JHZbKp1KUPMSWDXaHKzQSD2Kp+kLQSocPyMWh3Kd/zI=","address":"EQCmWuux4lNhQK3D7Rmohs5rAf3ctjVEOyCqOG1aTX1_IRLE","index":"3"}}
