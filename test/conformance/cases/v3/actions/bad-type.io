// A type has letters, digits, points and underlines.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.actions","params":{"action_type":["a b"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"action_type contains invalid characters","data":{"kind":"INVALID_PARAMS","issues":[{"param":"action_type","message":"action_type contains invalid characters","expected":"names of action types; as repeated names, as an array or separated by commas"}]}}}
