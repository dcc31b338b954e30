// A URL with a password is refused.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"hooks.create","params":{"url":"https://user:secret@example.com/","types":["blocks"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: failed to parse url (expected an https URL of at most 2048 characters, without user name and password)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"url","message":"failed to parse url","expected":"an https URL of at most 2048 characters, without user name and password"}]}}}
