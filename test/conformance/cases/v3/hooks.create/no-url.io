// A hook has a URL.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"hooks.create","params":{"types":["blocks"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: url required (expected an https URL of at most 2048 characters, without user name and password)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"url","message":"url required","expected":"an https URL of at most 2048 characters, without user name and password"}]}}}
