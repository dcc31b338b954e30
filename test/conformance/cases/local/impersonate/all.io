// Mode 128 sends all coins.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.impersonate","params":{"from":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG","to":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"0","mode":128,"bounce":false}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"1+lhIQYepOH4yoWmjDKRzJaVRvLkDAFjgDofbXRcNEU=","file_hash":"RWURhktbEryZEqQUi2277LvxSVFSoPq1Wkd0tW7bdNI="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"zzwxwNPd0VZ4f1dvHT/pY+mfNzXdRMz86JiTO6wL094="},"trace_id":"zzwxwNPd0VZ4f1dvHT/pY+mfNzXdRMz86JiTO6wL094="}}
