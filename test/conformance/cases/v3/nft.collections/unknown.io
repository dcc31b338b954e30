// An address of no collection is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.nft.collections","params":{"collection_address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"nft_collections":[],"address_book":{},"metadata":{}}}
