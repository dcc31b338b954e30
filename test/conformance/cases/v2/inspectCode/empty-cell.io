// Code without an instruction.
>> {"jsonrpc":"2.0","id":1,"method":"inspectCode","params":{"code":"te6cckEBAQEAAgAAAEysuc0="}}
<< {"jsonrpc":"2.0","id":1,"result":{"hash":"lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=","library":null,"methods":[],"lines":[],"cells":[],"truncated":false}}
