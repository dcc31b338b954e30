// Bytes that are no bag of cells are refused by the chain.
// status: 500
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"sendBocReturnHash","params":{"boc":"AAAA"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"INVALID_BAG_OF_CELLS: body: bag of cells: 3 bytes are too few for a header","data":{"kind":"CHAIN"}}}
