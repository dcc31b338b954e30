// A jetton with its content elsewhere.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.deployJetton","params":{"uri":"https://example.org/acorn.json"}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"qnPTFeo1uNoH0S8ePpfOikrMkx0WsxlsWLkdXZFjtWM=","file_hash":"lPAMn+WEDZywZ/Ua1Zst8pbVdC6/1D8weDrMnmhAOgg="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"8QgC7BbVO4Gdh5WEJwBMFtwInAXkc5rT0SWLMuKGxHM="},"trace_id":"8QgC7BbVO4Gdh5WEJwBMFtwInAXkc5rT0SWLMuKGxHM=","address":"EQCtsSbQkVR10LGMMxhM2BJWXIRRICQAOblSvkJ0wGAyLnr0"}}
