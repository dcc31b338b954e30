// The logical time is required.
>> {"jsonrpc":"2.0","id":1,"method":"local.traceTransaction","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: lt required (expected 64-bit integer, decimal from 1)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"lt","message":"lt required","expected":"64-bit integer, decimal from 1"}]}}}
