// A page has at most 1,000 transactions.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getTransactions","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","limit":1001}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"limit should be less or equal 1000","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"limit should be less or equal 1000","expected":"64-bit integer, decimal from 1 to 1000"}]}}}
