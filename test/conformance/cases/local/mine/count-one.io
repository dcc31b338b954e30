// One block, because it is said.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.mine","params":{"count":1}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"RZtL4ZJFx3OVvZ8o9Lownwgp9uLgL3uQF5lQcbwxXpY=","file_hash":"8g9RiApWrlLEwc+hMsIiCFngHV+Bf9si8Pp0+W1+RlA="}}}
