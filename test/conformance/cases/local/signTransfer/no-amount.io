// The amount is required.
>> {"jsonrpc":"2.0","id":1,"method":"local.signTransfer","params":{"from":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","to":"0:7777777777777777777777777777777777777777777777777777777777777777"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: amount required (expected nanograms, decimal text, 0 to 2^120 - 1)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"amount","message":"amount required","expected":"nanograms, decimal text, 0 to 2^120 - 1"}]}}}
