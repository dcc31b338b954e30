// The queues of the masterchain and of each shard.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getOutMsgQueueSize","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"blocks.outMsgQueueSizes","shards":[{"@type":"blocks.outMsgQueueSize","id":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":142,"root_hash":"JItNkBNnnfX0qvQ5iS/6znPSo3s9HLR7a3DQk3dtdnc=","file_hash":"VzoAzvntYvAl3GtZXxPTHXNJgekwIbj14poGmDV2c0g="},"size":0},{"@type":"blocks.outMsgQueueSize","id":{"@type":"ton.blockIdExt","workchain":0,"shard":"-9223372036854775808","seqno":142,"root_hash":"XAQEWmnEBv544j3aALIyR32Xnqr/H8opvS9eBqNHaOc=","file_hash":"IzWziUf9+7JJEZcuh3dCtv9ssiKX9EXx3qLauvPGrYI="},"size":0}],"ext_msg_queue_size_limit":8000}}
