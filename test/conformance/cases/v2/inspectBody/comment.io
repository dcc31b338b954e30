// A comment, with its text.
>> {"jsonrpc":"2.0","id":1,"method":"inspectBody","params":{"body":"te6cckEBAQEAEwAAIgAAAABoZWxsbywgZnJpZW5k6W+HXQ=="}}
<< {"jsonrpc":"2.0","id":1,"result":{"decoded":{"@type":"text_comment","text":"hello, friend"},"left_bits":0,"left":[]}}
