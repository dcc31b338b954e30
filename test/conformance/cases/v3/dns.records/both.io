// Only one of them may be given.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.dns.records","params":{"wallet":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","domain":"oak.ton"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"provide either wallet address or domain, not both","data":{"kind":"INVALID_PARAMS","issues":[{"param":"domain","message":"provide either wallet address or domain, not both"}]}}}
