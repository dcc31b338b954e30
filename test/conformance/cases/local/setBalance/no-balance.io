// The balance is required.
>> {"jsonrpc":"2.0","id":1,"method":"local.setBalance","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: balance required (expected nanograms, decimal text, 0 to 2^120 - 1)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"balance","message":"balance required","expected":"nanograms, decimal text, 0 to 2^120 - 1"}]}}}
