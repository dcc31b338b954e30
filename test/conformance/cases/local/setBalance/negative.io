// A balance is not negative.
>> {"jsonrpc":"2.0","id":1,"method":"local.setBalance","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999","balance":"-1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: failed to parse balance (expected nanograms, decimal text, 0 to 2^120 - 1)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"balance","message":"failed to parse balance","expected":"nanograms, decimal text, 0 to 2^120 - 1"}]}}}
