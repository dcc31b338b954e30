// Numbers may be texts.
>> {"jsonrpc":"2.0","id":1,"method":"getShards","params":{"seqno":"142"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"blocks.shards","shards":[{"@type":"ton.blockIdExt","workchain":0,"shard":"-9223372036854775808","seqno":142,"root_hash":"XAQEWmnEBv544j3aALIyR32Xnqr/H8opvS9eBqNHaOc=","file_hash":"IzWziUf9+7JJEZcuh3dCtv9ssiKX9EXx3qLauvPGrYI="}]}}
