// The elector, which every network has.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethod","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333","method":"active_election_id","stack":[]}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"smc.runResult","gas_used":1292,"stack":[["num","0x0"]],"exit_code":0,"block_id":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":142,"root_hash":"JItNkBNnnfX0qvQ5iS/6znPSo3s9HLR7a3DQk3dtdnc=","file_hash":"VzoAzvntYvAl3GtZXxPTHXNJgekwIbj14poGmDV2c0g="},"last_transaction_id":{"@type":"internal.transactionId","lt":"284000002","hash":"tac/AJstI4x0kUZ9WkCjotmcGPm/487xMW4rpqXhsmg="}}}
