// Bytes that are no bag of cells cannot be emulated.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"emulate.trace","params":{"boc":"AAAA"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32052,"message":"Can't deserialize message boc: bag of cells: 3 bytes are too few for a header","data":{"kind":"EMULATION"}}}
