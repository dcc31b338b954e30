// A subscription ends once; the second time there is none.
// over: ws
>> {"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"types":["blocks"]}}
<< {"ok":true,"jsonrpc":"2.0","id":1,"result":"1"}
<< {"jsonrpc":"2.0","method":"subscription","params":{"subscription":"1","result":{"type":"subscribed","cursor":"142.JItNkBNnnfX0qvQ5iS_6zg.stiW7jS5IfWSyNLij0J7WxrRCwGeAAAA.~"}}}
>> {"jsonrpc":"2.0","id":2,"method":"unsubscribe","params":{"subscription":"1"}}
<< {"ok":true,"jsonrpc":"2.0","id":2,"result":true}
>> {"jsonrpc":"2.0","id":3,"method":"unsubscribe","params":{"subscription":"1"}}
<< {"ok":true,"jsonrpc":"2.0","id":3,"result":false}
