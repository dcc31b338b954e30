// By a logical time: the first block whose end reaches it.
>> {"jsonrpc":"2.0","id":1,"method":"lookupBlock","params":{"workchain":0,"shard":"-9223372036854775808","lt":"9000001"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ton.blockIdExt","workchain":0,"shard":"-9223372036854775808","seqno":5,"root_hash":"kWW6iyMcEGABBgplzugjE/AjOCC1iWeAvTLXXkci01k=","file_hash":"u0gqZlSYUmlGCFDpZC+INe4VjZpgjQJdIvRKTaiok0E="}}
