// A flag is true or false.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.elections","params":{"return_participants":"perhaps"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: schema: error converting value for \"return_participants\" (expected true or false (also 1 t T TRUE True, 0 f F FALSE False))","data":{"kind":"INVALID_PARAMS","issues":[{"param":"return_participants","message":"schema: error converting value for \"return_participants\"","expected":"true or false (also 1 t T TRUE True, 0 f F FALSE False)"}]}}}
