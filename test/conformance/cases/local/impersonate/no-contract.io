// An account without a contract cannot send.
>> {"jsonrpc":"2.0","id":1,"method":"local.impersonate","params":{"from":"0:9999999999999999999999999999999999999999999999999999999999999999","to":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"0:9999999999999999999999999999999999999999999999999999999999999999 has no contract; local.sendInternal sends as such an address","data":{"kind":"INVALID_PARAMS"}}}
