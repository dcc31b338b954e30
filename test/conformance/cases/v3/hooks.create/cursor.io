// A cursor is one that an event had.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"hooks.create","params":{"url":"https://1.1.1.1/","types":["blocks"],"since":"!"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid cursor: it has to be the cursor of an event","data":{"kind":"INVALID_PARAMS","issues":[{"param":"since","message":"invalid cursor: it has to be the cursor of an event","expected":"a cursor as an event had it"}]}}}
