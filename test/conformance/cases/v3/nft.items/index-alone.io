// An index needs a collection.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.nft.items","params":{"index":["1"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"index parameter is not allowed without the collection_address","data":{"kind":"INVALID_PARAMS","issues":[{"param":"index","message":"index parameter is not allowed without the collection_address"}]}}}
