// A logical time is not negative.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"tryLocateResultTx","params":{"source":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","destination":"0:7777777777777777777777777777777777777777777777777777777777777777","created_lt":"-1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"created_lt should be non-negative","data":{"kind":"INVALID_PARAMS","issues":[{"param":"created_lt","message":"created_lt should be non-negative","expected":"64-bit integer, decimal from 0"}]}}}
