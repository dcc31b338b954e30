// A mark stays after it was returned to.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.snapshot","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"snapshot":"<snapshot>"}}
>> {"jsonrpc":"2.0","id":2,"method":"local.revert","params":{"snapshot":"snapshot-1"}}
<< {"jsonrpc":"2.0","id":2,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":142,"root_hash":"JItNkBNnnfX0qvQ5iS/6znPSo3s9HLR7a3DQk3dtdnc=","file_hash":"VzoAzvntYvAl3GtZXxPTHXNJgekwIbj14poGmDV2c0g="}}}
>> {"jsonrpc":"2.0","id":3,"method":"local.revert","params":{"snapshot":"snapshot-1"}}
<< {"jsonrpc":"2.0","id":3,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":142,"root_hash":"JItNkBNnnfX0qvQ5iS/6znPSo3s9HLR7a3DQk3dtdnc=","file_hash":"VzoAzvntYvAl3GtZXxPTHXNJgekwIbj14poGmDV2c0g="}}}
