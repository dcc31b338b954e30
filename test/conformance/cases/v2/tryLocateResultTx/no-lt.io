// The logical time is required.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"tryLocateResultTx","params":{"source":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","destination":"0:7777777777777777777777777777777777777777777777777777777777777777"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: created_lt required (expected 64-bit integer, decimal from 0)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"created_lt","message":"created_lt required","expected":"64-bit integer, decimal from 0"}]}}}
