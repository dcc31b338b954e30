// A jetton has at most 255 decimals.
>> {"jsonrpc":"2.0","id":1,"method":"local.deployJetton","params":{"name":"x","decimals":256}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: decimals should be less or equal 255 (expected 32-bit integer, decimal from 0 to 255)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"decimals","message":"decimals should be less or equal 255","expected":"32-bit integer, decimal from 0 to 255"}]}}}
