// An address of no sale is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.nft.sales","params":{"address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"nft_sales":[],"address_book":{},"metadata":{}}}
