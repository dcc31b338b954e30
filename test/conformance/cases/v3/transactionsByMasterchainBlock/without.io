// A block without transactions.
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactionsByMasterchainBlock","params":{"seqno":4}}
<< {"jsonrpc":"2.0","id":1,"result":{"transactions":[],"address_book":{}}}
