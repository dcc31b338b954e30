// A comment, and a text that is no body.
>> {"jsonrpc":"2.0","id":1,"method":"v3.decode","params":{"bodies":["te6cckEBAQEAEwAAIgAAAABoZWxsbywgZnJpZW5k6W+HXQ==","zz"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"opcodes":[],"bodies":[{"@type":"text_comment","text":"hello, friend"},{"error":"unknown: failed to decode hex: a character that is no hex digit"}]}}
