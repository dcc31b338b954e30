// Bytes that are no bag of cells are refused by the chain.
// status: 400
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"sendBocReturnHashNoError","params":{"boc":"AAAA"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"INVALID_BAG_OF_CELLS: body: bag of cells: 3 bytes are too few for a header","data":{"kind":"CHAIN_400"}}}
