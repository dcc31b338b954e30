// A collection of NFTs.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.deployCollection","params":{"name":"Leaves 2"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"q7yhRlo5y6cWm5qehXessp0zE4EFNCQI6s3ADMA2Os8=","file_hash":"+JVi+jIWK9GPXlSMFhTReGsvWCvFkd/EhVR0+jK2Ook="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"5jbI4o1gcNIc2fzPrxyywMpvQkzwf7EOrm0rbNFumcY="},"trace_id":"5jbI4o1gcNIc2fzPrxyywMpvQkzwf7EOrm0rbNFumcY=","address":"EQDHV1utFttG3heUZO6ZH0N7QSPY-D6Ry5hf1GE8hwLtPOSa"}}
