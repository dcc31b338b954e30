// A mode has eight bits.
>> {"jsonrpc":"2.0","id":1,"method":"local.impersonate","params":{"from":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","to":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1","mode":256}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: mode should be less or equal 255 (expected 32-bit integer, decimal from 0 to 255)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"mode","message":"mode should be less or equal 255","expected":"32-bit integer, decimal from 0 to 255"}]}}}
