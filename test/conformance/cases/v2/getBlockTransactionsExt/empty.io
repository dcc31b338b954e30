// A block without transactions.
>> {"jsonrpc":"2.0","id":1,"method":"getBlockTransactionsExt","params":{"workchain":0,"shard":"-9223372036854775808","seqno":3}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"blocks.transactionsExt","id":{"@type":"ton.blockIdExt","workchain":0,"shard":"-9223372036854775808","seqno":3,"root_hash":"L7X5xrYoYV3bF9CBOMWyaiJCUuIqAHgPoyn7CzcHbVY=","file_hash":"fK6Y5QplMEaNF9qIhAjMpYEQ7jY16hnT89agZU2ooE8="},"req_count":40,"incomplete":false,"transactions":[]}}
