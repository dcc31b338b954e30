// A text that is no hash is refused, and the parameter is named.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.getAccountTransactionsParsed","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","lt":"9000001","hash":"zz"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse hash (expected 32 bytes as base64 (44 characters), base64url (43 or 44) or 64 hex digits)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"hash","message":"failed to parse hash","expected":"32 bytes as base64 (44 characters), base64url (43 or 44) or 64 hex digits"}]}}}
