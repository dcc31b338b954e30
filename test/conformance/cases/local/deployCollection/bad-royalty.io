// A share has a numerator and a denominator.
>> {"jsonrpc":"2.0","id":1,"method":"local.deployCollection","params":{"name":"x","royalty":{"numerator":5}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: royalty.denominator: Invalid input: expected number, received undefined","data":{"kind":"INVALID_PARAMS","issues":[{"param":"royalty","message":"royalty.denominator: Invalid input: expected number, received undefined"}]}}}
