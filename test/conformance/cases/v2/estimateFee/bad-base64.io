// A text that is not base64 is refused.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"estimateFee","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","body":"%%"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: invalid base64 encoded bytes: body '%%' (expected bytes as standard padded base64)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"body","message":"invalid base64 encoded bytes: body '%%'","expected":"bytes as standard padded base64"}]}}}
