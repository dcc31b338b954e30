// Code and data stay.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setBalance","params":{"address":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG","balance":"7"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"7Y5nlePAFJJqj6Kw49HBDvlgJ3FiLTd2D7SHbaqp8iE=","file_hash":"OJM/i2mTxdwRCY9bt17869if31+lB5s8oQARou5gvv4="}}}
