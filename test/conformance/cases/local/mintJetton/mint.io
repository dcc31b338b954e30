// Units for an owner; the answer has his jetton wallet.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.mintJetton","params":{"jetton":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG","owner":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1000"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"zeNdYVq5FgETYL+5IOMaD0g2lz54qkHrHx7lerR2nMs=","file_hash":"pKh6Hplu5wJ1AAEtl1L1OjDMupODt8vNQ9mpry5mT2E="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"M7Kfzs8QKB42OSsNFfyaq2ZxAhji7HZnsZw/wYpQKrU="},"trace_id":"M7Kfzs8QKB42OSsNFfyaq2ZxAhji7HZnsZw/wYpQKrU=","address":"EQBa0AzyJuQPwwORgHbNiSVXHZb5YLm67VoNNhhFcGE1i7uN"}}
