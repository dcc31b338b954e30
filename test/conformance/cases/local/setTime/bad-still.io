// still is true or false.
>> {"jsonrpc":"2.0","id":1,"method":"local.setTime","params":{"utime":1800000000,"still":"perhaps"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: failed to parse still (expected true or false (also y yes t on 1 / n no f off 0))","data":{"kind":"INVALID_PARAMS","issues":[{"param":"still","message":"failed to parse still","expected":"true or false (also y yes t on 1 / n no f off 0)"}]}}}
