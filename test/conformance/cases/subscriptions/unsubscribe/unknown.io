// There is no such subscription.
// over: ws
>> {"jsonrpc":"2.0","id":1,"method":"unsubscribe","params":{"subscription":"7"}}
<< {"ok":true,"jsonrpc":"2.0","id":1,"result":false}
