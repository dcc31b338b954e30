// An address of no item is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.nft.items","params":{"address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"nft_items":[],"address_book":{},"metadata":{}}}
