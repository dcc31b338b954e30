// The elector, which every network has.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getWalletInformation","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.accounts.walletInformation","wallet":false,"balance":"1000021431158341343","account_state":"active","last_transaction_id":{"@type":"internal.transactionId","lt":"284000002","hash":"tac/AJstI4x0kUZ9WkCjotmcGPm/487xMW4rpqXhsmg="}}}
