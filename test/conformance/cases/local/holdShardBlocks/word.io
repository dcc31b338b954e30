// hold is true or false.
>> {"jsonrpc":"2.0","id":1,"method":"local.holdShardBlocks","params":{"hold":"perhaps"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: failed to parse hold (expected true or false (also y yes t on 1 / n no f off 0))","data":{"kind":"INVALID_PARAMS","issues":[{"param":"hold","message":"failed to parse hold","expected":"true or false (also y yes t on 1 / n no f off 0)"}]}}}
