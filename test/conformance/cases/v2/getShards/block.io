// The newest block of each shard at a masterchain block.
>> {"jsonrpc":"2.0","id":1,"method":"getShards","params":{"seqno":5}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"blocks.shards","shards":[{"@type":"ton.blockIdExt","workchain":0,"shard":"-9223372036854775808","seqno":5,"root_hash":"kWW6iyMcEGABBgplzugjE/AjOCC1iWeAvTLXXkci01k=","file_hash":"u0gqZlSYUmlGCFDpZC+INe4VjZpgjQJdIvRKTaiok0E="}]}}
