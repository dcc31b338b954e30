// The types of events are required.
// only: single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"subscribe","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"types are required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"types","message":"types are required","expected":"one or more of: transactions, actions, trace, account_state_change, jettons_change, blocks, trace_invalidated"}]}}}
