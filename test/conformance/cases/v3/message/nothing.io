// The message is required: 401 in this group.
// status: 401
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.message","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32011,"message":"boc is required","data":{"kind":"MISSING_INPUT","issues":[{"param":"boc","message":"boc is required","expected":"bytes as standard padded base64, at least one"}]}}}
