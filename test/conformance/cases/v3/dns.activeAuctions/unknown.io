// Somebody who bids nowhere has an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.dns.activeAuctions","params":{"bidder":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":{"auctions":[],"address_book":{},"metadata":{}}}
