// The wallet is required.
// status: 400
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"emulate.tonConnect","params":{"messages":[{"address":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"50000000"}]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid request: from address is required for emulation","data":{"kind":"INVALID_PARAMS","issues":[{"param":"from","message":"from address is required for emulation","expected":"an address"}]}}}
