// A jetton with its content on the chain.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.deployJetton","params":{"name":"Acorn 2","symbol":"ACR2","decimals":6}}
<< {"jsonrpc":"2.0","id":1,"result":{"block":{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":143,"root_hash":"+OyhuQwf1QjmQY4ZW0wn5knvdIQRMCEhc6poIW+uabc=","file_hash":"dEVp6Uw9mI1ebmo5Y+oXJ1y2ed+OoJAxOy1rcLRQ4FY="},"transaction_id":{"@type":"internal.transactionId","lt":"285000001","hash":"cSsMfQLf2viN+cVwokX+NDmqUVRPoA+bVFEZvp0D41k="},"trace_id":"cSsMfQLf2viN+cVwokX+NDmqUVRPoA+bVFEZvp0D41k=","address":"EQDiJjFQW19y8yoHKC6gLLG7kI-xIhuVIyac3cfjRv6LS2VM"}}
