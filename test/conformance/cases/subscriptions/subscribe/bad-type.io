// A type that does not exist is refused.
// only: single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"types":["gossip"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid event type: gossip","data":{"kind":"INVALID_PARAMS","issues":[{"param":"types","message":"invalid event type: gossip","expected":"one or more of: transactions, actions, trace, account_state_change, jettons_change, blocks, trace_invalidated"}]}}}
