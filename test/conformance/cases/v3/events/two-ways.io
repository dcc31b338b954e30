// A trace is named in one way.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.events","params":{"account":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","tx_hash":["G5lJT18oA9FGCZemrfTOU97ZMYPpunuEhSi9W3Nb5ao="]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"only one of account, trace_id, tx_hash, msg_hash should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"only one of account, trace_id, tx_hash, msg_hash should be specified"}]}}}
