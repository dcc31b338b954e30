// Arguments that are not base64 are refused.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.runMethod","params":{"seqno":5,"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno","args":"!!"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse args (expected a VmStack as a BoC, in base64 or base64url, at most 12288 characters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"args","message":"failed to parse args","expected":"a VmStack as a BoC, in base64 or base64url, at most 12288 characters"}]}}}
