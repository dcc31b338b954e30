// A cell that is no external message is refused by the chain.
// status: 500
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"sendBocReturnHash","params":{"boc":"te6cckEBAQEAAgAAAEysuc0="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"Failed to unpack Message: boc is not a message (cannot read 1 bits: the slice has 0 left)","data":{"kind":"CHAIN"}}}
