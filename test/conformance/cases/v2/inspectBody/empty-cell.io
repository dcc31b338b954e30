// An empty body.
>> {"jsonrpc":"2.0","id":1,"method":"inspectBody","params":{"body":"te6cckEBAQEAAgAAAEysuc0="}}
<< {"jsonrpc":"2.0","id":1,"result":{"decoded":null,"left_bits":0,"left":[]}}
