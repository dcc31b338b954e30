// A state is all, won or bidding.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.dns.activeAuctions","params":{"bidder":"0:b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1","state":"open"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"state must be one of: all, won, bidding","data":{"kind":"INVALID_PARAMS","issues":[{"param":"state","message":"state must be one of: all, won, bidding","expected":"all, won or bidding"}]}}}
