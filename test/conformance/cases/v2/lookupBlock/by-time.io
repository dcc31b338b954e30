// By a time: the first block made then or later.
>> {"jsonrpc":"2.0","id":1,"method":"lookupBlock","params":{"workchain":-1,"shard":"-9223372036854775808","unixtime":1700000007}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":5,"root_hash":"povid7HAgav2LvGf4RUdTHmbSnbOSxfJVmk0ha3cDDc=","file_hash":"4KlThLqV3GL6cN7EsF0rVES/vUOvTCMAEb6Cg4K8kYI="}}
