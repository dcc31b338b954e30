// A text that is not base64 is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.setAccount","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999","code":"%%"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: invalid base64 encoded bytes: code '%%' (expected bytes as standard padded base64, at least one)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"code","message":"invalid base64 encoded bytes: code '%%'","expected":"bytes as standard padded base64, at least one"}]}}}
