// What an owner has of a jetton is set, and what it was is told.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setJettonBalance","params":{"jetton":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG","owner":"0:7777777777777777777777777777777777777777777777777777777777777777","balance":"1000"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"YMxbnWHuho2q7glhF3lLi4GlS+8FOXGmMevTepkQsxU=","file_hash":"+Ts3TILwrfX5sQvKN8Ghk9WbJGMzP5uoo6ef3rfrOOM="},"address":"EQBa0AzyJuQPwwORgHbNiSVXHZb5YLm67VoNNhhFcGE1i7uN","was":"1500000"}}
